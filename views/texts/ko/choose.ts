import { plural } from '../plural.ts'
import type { Texts } from '../types.ts'

export const choose: Texts['choose'] = {
  title: '결제 방법 선택',
  byProvider: '카드, 계좌 이체 또는 디지털 지갑',
  crypto: '암호화폐',
  card: '카드',
  bank: '계좌 이체',
  through: provider => `${provider} 제공`,
  moreWays: '다른 결제 방법',
  moreCoins: '다른 코인',
  filter: '결제 방법 찾기',
  noMatch: '일치하는 결제 방법이 없습니다.',
  usual: (fee, time) => `네트워크 수수료 보통 약 ${fee}, 소요 시간 약 ${time}`,
  networks: count =>
    plural('ko', count, {
      other: `네트워크 ${count}개`,
    }),
  payWith: method => `${method}(으)로 결제`,
  continueTo: method => `${method}(으)로 계속`,
  keepPageOpen: method =>
    `${method}이(가) 새 탭에서 열립니다. 결제가 도착했는지 보려면 이 페이지로 돌아오세요.`,
  handledBy: company =>
    `${company}에서 결제를 처리하고 상점에는 암호화폐로 지급합니다. ` +
    '신분증을 요청하거나 자체 수수료를 더할 수 있습니다.',
  handledByNamed:
    '표시된 업체에서 결제를 처리하고 상점에는 암호화폐로 지급합니다. ' +
    '신분증을 요청하거나 자체 수수료를 더할 수 있습니다.',
  back: '시작한 결제로 돌아가기',
  noMethod: '결제 방법 없음',
  nothing: '지금 이용할 수 있는 결제 방법이 없습니다',
  providerAway: '결제 서비스가 응답하지 않습니다. 몇 분 후에 다시 시도하세요.',
  noneForAmount: '이 금액에 이용할 수 있는 상점의 결제 방법이 없습니다.',
  openUntil: time => `이 주문은 ${time}까지 유효합니다.`,
  cardsAway: '지금은 카드, 은행, 디지털 지갑 결제를 이용할 수 없습니다.',
  tryInMinutes: '몇 분 후에 다시 시도하세요.',
  networksAway: networks => `지금은 연결할 수 없습니다: ${networks}.`,
  otherOrLater: '다른 결제 방법을 선택하거나 몇 분 후에 다시 시도하세요.',
  unavailable: method => `${method}을(를) 이용할 수 없습니다`,
  chooseOther: '청구된 금액이 없습니다. 다른 방법을 선택하세요.',
  declined: method => `${method}에서 결제를 거절했습니다`,
  tryAgainOrOther:
    '결제가 완료되지 않았습니다. 은행에 승인 보류 금액이 표시되어도 자동으로 사라집니다. ' +
    '다시 시도하거나 다른 방법을 선택하세요.',
}
