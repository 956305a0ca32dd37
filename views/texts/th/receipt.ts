import type { Texts } from '../types.ts'

export const receipt: Texts['receipt'] = {
  title: 'ใบเสร็จ',
  titleOf: shop => `ใบเสร็จจาก ${shop}`,
  show: 'ดูใบเสร็จ',
  paidOn: 'ชำระเมื่อ',
  order: 'คำสั่งซื้อ',
  item: 'รายการ',
  thisOrder: reference => `คำสั่งซื้อ ${reference}`,
  amount: 'ยอดเงิน',
  total: 'ยอดรวม',
  refunded: date => `คืนเงินเมื่อ ${date}`,
  afterRefunds: 'ยอดรวมหลังคืนเงิน',
  payment: 'การชำระเงิน',
  paidWith: 'ชำระด้วย',
  received: 'ได้รับ',
  rate: 'อัตราแลกเปลี่ยน',
  transaction: 'ธุรกรรม',
  byMerchant: shop => `${shop} บันทึกว่าคำสั่งซื้อนี้ชำระแล้ว`,
  print: 'พิมพ์หรือบันทึกเป็น PDF',
  backToOrder: 'กลับไปที่คำสั่งซื้อ',
  sandbox: 'การชำระเงินทดสอบในระบบทดสอบ ไม่มีการชำระเงินจริง',
}
