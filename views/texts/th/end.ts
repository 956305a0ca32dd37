import type { Texts } from '../types.ts'

export const end: Texts['end'] = {
  paid: 'ชำระเงินแล้ว',
  paidCoins: (amount, shop) => `คุณชำระ ${amount} ให้ ${shop} แล้ว`,
  paidWith: (shop, method) => `คุณชำระเงินให้ ${shop} ด้วย ${method} แล้ว`,
  paidShop: shop => `คุณชำระเงินให้ ${shop} แล้ว`,
  thanks: 'ขอบคุณ',
  refundedTitle: 'คืนเงินแล้ว',
  refunded: (amount, shop) => `${shop} คืนเงิน ${amount} แล้ว`,
  expired: 'คำสั่งซื้อนี้หมดอายุแล้ว',
  contactFirst: shop => `โปรดติดต่อ ${shop} ก่อนชำระอีกครั้ง`,
  notInTime: 'ไม่ได้ชำระภายในเวลา',
  maybePaid: 'หากคุณชำระแล้ว อย่าสั่งซื้ออีก ระบบจะยังตรวจพบการชำระเงินของคุณ',
  orderAgain: 'หากยังไม่ได้ชำระ โปรดกลับไปที่ร้านค้าและสั่งซื้ออีกครั้ง',
  cancelled: 'คำสั่งซื้อนี้ถูกยกเลิกแล้ว',
  notCharged: 'คุณไม่ได้ถูกเรียกเก็บเงิน',
  failed: 'การชำระเงินล้มเหลว',
  declined: 'ผู้ให้บริการชำระเงินปฏิเสธการชำระเงิน โปรดกลับไปที่ร้านค้าและสั่งซื้ออีกครั้ง',
  blocked: 'ชำระเงินไม่ได้',
  notAccepted: shop => `${shop} รับการชำระเงินนี้ไม่ได้`,
  haveQuestions: shop => `โปรดติดต่อ ${shop} หากมีคำถาม`,
}
