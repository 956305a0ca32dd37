import type { Texts } from '../types.ts'

export const crypto: Texts['crypto'] = {
  coinOnNetwork: (coin, network) => `${network}의 ${coin}`,
  pay: (amount, network) => `${network}에서 ${amount} 결제`,
  payCoin: amount => `${amount} 결제`,
  waiting: '결제를 기다리는 중',
  timeLeft: '남은 시간:',
  payBefore: time => `${time} 전에 결제하세요`,
  fewMinutesLeft: '결제 시간이 5분도 남지 않았습니다.',
  detected: '결제가 감지됨',
  detectedWith: progress => `결제가 감지됨: ${progress}`,
  confirmations: '확인 횟수',
  progress: (done, required) => `${required}회 중 ${done}회 확인`,
  lastConfirmation: '최종 확인을 기다리는 중',
  aboutLeft: time => `약 ${time} 남음`,
  receivedPayments: '지금까지 받은 금액',
  closePage: '이 페이지를 닫아도 됩니다. 네트워크에서 결제가 확인되는 즉시 주문이 결제 완료로 표시됩니다.',
  leftToPay: amount => `${amount} 더 결제해야 합니다`,
  sendRest: received => `${received}을(를) 받았습니다. 나머지를 같은 주소로 보내세요.`,
  dustTitle: '남은 금액이 너무 적어 보낼 수 없습니다',
  dust: (received, due) =>
    `${due} 중 ${received}을(를) 받았으며 상점에 알렸습니다. 더 보내지 않아도 됩니다. 주문이 곧 ` +
    '확인되지 않으면 상점에 문의하세요.',
  qrOfPayment: '결제 QR 코드',
  qrOfAddress: '주소 QR 코드',
  cannotScan: '지갑에서 이 코드를 스캔할 수 없나요?',
  onlyAddress: '이 코드에는 주소만 있습니다.',
  showAddressOnly: '주소만 표시',
  includeAmount: '금액 포함',
  openWallet: '지갑에서 열기',
  walletClosed: '아무것도 열리지 않나요? 금액과 주소를 지갑에 복사하세요.',
  browserWallet: {
    pay: '{wallet}(으)로 결제',
    open: '지갑에서 결제를 승인하세요.',
    sent: '보냈습니다. 결제가 감지되면 이 페이지가 바뀝니다.',
    again: '{wallet}(으)로 다시 보낼까요?',
    twice: '지갑에 첫 번째 결제가 실패했다고 표시된 경우에만 다시 보내세요.',
    rejected: '결제를 승인하지 않았습니다. 아무것도 보내지 않았습니다.',
    chain: '지갑에 이 네트워크가 없습니다. 지갑에 네트워크를 추가한 후 다시 시도하세요.',
    failed: '지갑에서 결제를 보내지 못했습니다. 잔액을 확인하거나 QR 코드 또는 주소로 결제하세요.',
  },
  sendTestCoins: '테스트 코인 보내기',
  sendOnly: (coin, network) => `${network} 네트워크에서 ${coin}만 보내세요.`,
  otherCoins:
    '다른 코인이나 다른 네트워크로 보낸 코인으로는 이 주문이 결제되지 않으며, 코인을 잃을 수 있습니다.',
  exactAmount: '정확히 이 금액을 한 번의 거래로 보내세요.',
  exactAmountReason:
    '결제는 금액으로 식별합니다. 거래소에서 결제하는 경우 정확히 이 금액이 ' +
    '도착하도록 출금 수수료를 더해서 보내세요.',
  exchangeFee: '거래소에서 결제하시나요? 정확히 이 금액이 도착하도록 출금 수수료를 더해서 보내세요.',
  amountLeft: '남은 결제 금액',
  amountDue: '정확히 보낼 금액',
  toAddress: network => `${network} 네트워크의 이 주소로`,
  rate: '환율',
  theAmount: '금액',
  theAddress: '주소',
  nothingFound: network => `${network}에서 아직 결제가 감지되지 않았습니다.`,
  nothingMore: '더 도착한 금액이 없습니다.',
  restMissing: '나머지가 아직 도착하지 않았습니다.',
  unconfirmed: '결제가 아직 확인되지 않았습니다.',
  lapsed: '결제 시간이 지났습니다',
  lapsedShort: received =>
    `${received}을(를) 받았으며 결제가 기록되었습니다. 다시 결제하기 전에 상점에 문의하세요.`,
  partOf: (received, due) => `${due} 중 ${received}`,
  maybePaid:
    '방금 결제하셨나요? 결제는 계속 감지되므로 이 페이지를 닫아도 됩니다. 아니라면 새 가격을 받으세요.',
  newPrice: coin => `새 ${coin} 가격 받기`,
  notCovered: '아직 전체 금액을 받지 못했습니다. 방금 결제했다면 몇 분 후에 다시 확인하세요.',
  elsewhere: {
    ask: '다른 네트워크로 보냈습니다',
    looking: networks => `지금 확인하고 있습니다: ${networks}.`,
    found: coins => `${coins}을(를) 찾았습니다.`,
    nothing: (networks, time) => `${time}에 확인했지만 찾지 못했습니다: ${networks}.`,
    unreachable: networks =>
      `지금 연결할 수 없습니다: ${networks}. 계속 시도하며, 보내신 금액은 사라지지 않습니다.`,
  },
  turnedTo: coin =>
    `다른 창에서 더 새로운 결제가 시작되었습니다: ${coin}. 이제 이 페이지에는 그 결제가 ` +
    '표시됩니다. 이미 결제하셨더라도 결제는 계속 감지됩니다.',
}
