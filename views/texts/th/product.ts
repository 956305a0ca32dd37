import type { Texts } from '../types.ts'

export const product: Texts['product'] = {
  fixFields: 'โปรดแก้ไขช่องที่ทำเครื่องหมายไว้',
  email: 'อีเมล',
  name: 'ชื่อ',
  optional: '(ไม่บังคับ)',
  price: 'ราคาของคุณ',
  amount: 'ยอดเงิน',
  currency: 'สกุลเงิน',
  howToPay: 'คุณต้องการชำระเงินอย่างไร',
  continue: 'ไปชำระเงิน',
  errors: {
    email: 'ป้อนที่อยู่อีเมล เช่น sam@example.com',
    fullName: 'ป้อนชื่อไม่เกิน 128 อักขระ',
    paymentMethodKey: 'เลือกวิธีที่คุณต้องการชำระเงิน',
    amount: example => `ป้อนยอดเงินที่มากกว่าศูนย์เป็นตัวเลข เช่น ${example}`,
    amountIn: (currency, example) => `ป้อนยอดเงินเป็น ${currency} ที่มากกว่าศูนย์เป็นตัวเลข เช่น ${example}`,
    amountWithoutDecimals: (currency, example) =>
      `ป้อนยอดเงินเป็น ${currency} ที่มากกว่าศูนย์เป็นตัวเลขไม่มีทศนิยม เช่น ${example}`,
    currency: 'เลือกสกุลเงิน',
    tooLittle: 'วิธีชำระเงินนี้ใช้กับยอดนี้ไม่ได้ โปรดเลือกวิธีอื่นหรือยอดอื่น',
  },
}
