import type { Texts } from '../types.ts'

export const notices: Texts['notices'] = {
  titles: {
    wrong_asset: 'ได้รับเหรียญชนิดอื่น',
    underpaid: 'การชำระเงินของคุณไม่ครบตามคำสั่งซื้อนี้',
    late: 'การชำระเงินของคุณมาถึงช้า',
    second_payment: 'ได้รับการชำระเงินครั้งที่สอง',
    order_closed: 'ได้รับการชำระเงินสำหรับคำสั่งซื้อที่ปิดแล้ว',
    too_late: 'การชำระเงินของคุณมาถึงช้าเกินไป',
    overpaid: 'คุณชำระเกินยอดที่ต้องชำระ',
  },
  otherCoin: 'เหรียญชนิดอื่น',
  received: {
    wrong_asset: (coins, wanted) => `เราได้รับ ${coins} แต่การชำระเงินนี้ต้องเป็น ${wanted}`,
    underpaid: (coins, value) => (value === null ? `เราได้รับ ${coins} แล้ว` : `เราได้รับ ${coins} มูลค่า ${value}`),
    late: (coins, value) =>
      value === null
        ? `เราได้รับ ${coins} หลังจากหมดเวลาชำระเงิน`
        : `เราได้รับ ${coins} มูลค่า ${value} หลังจากหมดเวลาชำระเงิน`,
    second_payment: coins => `เราได้รับ ${coins} แต่คำสั่งซื้อนี้ชำระแล้ว`,
    order_closed: coins => `เราได้รับ ${coins} แต่คำสั่งซื้อนี้ปิดแล้ว`,
    too_late: coins => `เราได้รับ ${coins} หลังจากหมดเวลาชำระเงินไปนานแล้ว`,
    overpaid: (coins, due) => `เราได้รับ ${coins} แต่ต้องชำระเพียง ${due}`,
  },
  notLost: shop => `บันทึกการชำระเงินของคุณแล้ว และแจ้ง ${shop} แล้ว`,
  contact: shop => `ติดต่อ ${shop}`,
  contactForRefund: contact => `${contact} เพื่อขอคืนเงินหรือหากมีคำถาม`,
  refundAddress: network => `ที่อยู่สำหรับคืนเงินบน ${network}`,
  optional: '(ไม่บังคับ)',
  saveAddress: 'บันทึกที่อยู่สำหรับคืนเงิน',
  wrongAddress: 'หากไม่ถูกต้อง โปรดติดต่อร้านค้า',
}
