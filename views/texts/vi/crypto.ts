import type { Texts } from '../types.ts'

export const crypto: Texts['crypto'] = {
  coinOnNetwork: (coin, network) => `${coin} trên ${network}`,
  pay: (amount, network) => `Thanh toán ${amount} trên ${network}`,
  payCoin: amount => `Thanh toán ${amount}`,
  waiting: 'Đang chờ thanh toán của bạn',
  timeLeft: 'Thời gian còn lại:',
  payBefore: time => `Thanh toán trước ${time}`,
  fewMinutesLeft: 'Còn chưa đến năm phút để thanh toán.',
  detected: 'Đã phát hiện thanh toán',
  detectedWith: progress => `Đã phát hiện thanh toán: ${progress}`,
  confirmations: 'Xác nhận',
  progress: (done, required) => `${done}/${required} xác nhận`,
  lastConfirmation: 'Đang chờ xác nhận cuối cùng',
  aboutLeft: time => `còn khoảng ${time}`,
  receivedPayments: 'Đã nhận đến nay',
  closePage:
    'Bạn có thể đóng trang này. Đơn hàng sẽ được đánh dấu là đã thanh toán ngay khi mạng xác nhận khoản' +
    ' thanh toán.',
  leftToPay: amount => `Còn phải trả ${amount}`,
  sendRest: received => `Chúng tôi đã nhận ${received}. Vui lòng gửi phần còn lại đến cùng địa chỉ.`,
  dustTitle: 'Số tiền còn lại quá nhỏ để gửi',
  qrOfPayment: 'Mã QR của khoản thanh toán',
  qrOfAddress: 'Mã QR của địa chỉ',
  cannotScan: 'Ví không quét được mã này?',
  onlyAddress: 'Mã này chỉ chứa địa chỉ.',
  showAddressOnly: 'Chỉ hiển thị địa chỉ',
  includeAmount: 'Thêm số tiền',
  openWallet: 'Mở trong ví',
  walletClosed: 'Không có gì mở ra? Hãy sao chép số tiền và địa chỉ vào ví của bạn.',
  browserWallet: {
    pay: 'Thanh toán bằng {wallet}',
    open: 'Hãy xác nhận thanh toán trong ví của bạn.',
    sent: 'Đã gửi. Trang này sẽ thay đổi khi phát hiện thanh toán.',
    again: 'Gửi lại bằng {wallet}?',
    twice: 'Chỉ gửi lại nếu ví của bạn báo rằng khoản thanh toán đầu tiên không thành công.',
    rejected: 'Bạn chưa xác nhận thanh toán. Chưa có gì được gửi.',
    chain: 'Ví của bạn không nhận ra mạng này. Hãy thêm mạng trong ví rồi thử lại.',
    failed:
      'Ví của bạn không gửi được khoản thanh toán. Hãy kiểm tra số dư, hoặc thanh toán bằng mã QR ' +
      'hay địa chỉ.',
  },
  sendTestCoins: 'Gửi tiền thử nghiệm',
  sendOnly: (coin, network) => `Chỉ gửi ${coin} trên mạng ${network}.`,
  otherCoins:
    'Đồng tiền khác, hoặc tiền gửi trên mạng khác, có thể không được tính cho đơn hàng này và bị mất.',
  exactAmount: 'Gửi đúng số tiền này trong một giao dịch.',
  exactAmountReason:
    'Chúng tôi nhận ra khoản thanh toán theo số tiền. Nếu bạn thanh toán từ sàn giao dịch, hãy ' +
    'cộng thêm phí rút tiền của sàn để chúng tôi nhận được đúng số tiền này.',
  exchangeFee:
    'Thanh toán từ sàn giao dịch? Hãy cộng thêm phí rút tiền của sàn để chúng tôi nhận được đúng số tiền ' +
    'này.',
  amountLeft: 'Còn phải trả',
  amountDue: 'Gửi đúng số tiền',
  toAddress: network => `Đến địa chỉ này trên ${network}`,
  rate: 'Tỷ giá',
  theAmount: 'số tiền',
  theAddress: 'địa chỉ',
  nothingFound: network => `Chưa phát hiện thanh toán nào trên ${network}.`,
  nothingMore: 'Không có thêm khoản nào đến.',
  restMissing: 'Phần còn lại chưa đến.',
  unconfirmed: 'Khoản thanh toán chưa được xác nhận.',
  lapsed: 'Đã hết thời gian thanh toán',
  partOf: (received, due) => `${received} trong tổng số ${due}`,
  maybePaid:
    'Bạn vừa thanh toán? Khoản thanh toán vẫn sẽ được phát hiện; bạn có thể đóng trang này. Nếu ' +
    'chưa, hãy lấy giá mới.',
  newPrice: coin => `Lấy giá ${coin} mới`,
  notCovered: 'Chúng tôi chưa nhận đủ số tiền. Nếu bạn vừa thanh toán, hãy kiểm tra lại sau vài phút.',
  elsewhere: {
    ask: 'Tôi đã gửi trên mạng khác',
    looking: networks => `Chúng tôi đang kiểm tra ${networks}.`,
    found: coins => `Chúng tôi đã tìm thấy ${coins}.`,
    nothing: (networks, time) => `Chúng tôi đã kiểm tra ${networks} lúc ${time} và không tìm thấy gì.`,
    unreachable: networks =>
      `Chúng tôi chưa kết nối được với ${networks}. ` +
      'Chúng tôi sẽ tiếp tục thử, và số tiền bạn đã gửi không bị mất.',
  },
  turnedTo: coin =>
    `Một khoản thanh toán mới hơn đã được bắt đầu ở cửa sổ khác: ${coin}. Trang này hiện đang ` +
    'hiển thị khoản đó. Nếu bạn đã thanh toán, khoản thanh toán của bạn vẫn sẽ được phát hiện.',
}
