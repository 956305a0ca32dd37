import type { Texts } from '../types.ts'

export const provider: Texts['provider'] = {
  payWith: method => `ชำระด้วย ${method}`,
  waiting: method => `กำลังรอ ${method}`,
  otherTab:
    'โปรดชำระเงินให้เสร็จในอีกแท็บหนึ่ง หน้านี้จะอัปเดตเองไม่กี่นาทีหลังจากคุณชำระเงิน เมื่อชำระแล้วคุณปิดหน้านี้ได้ ' +
    'คำสั่งซื้อของคุณจะยังถูกบันทึกว่าชำระแล้ว',
  openAgain: method => `เปิด ${method} อีกครั้ง`,
  unconfirmed: method => `${method} ยังไม่ได้ยืนยันการชำระเงิน`,
}
