import { plural } from '../plural.ts'
import type { Texts } from '../types.ts'

export const choose: Texts['choose'] = {
  title: 'เลือกวิธีชำระเงิน',
  byProvider: 'บัตร โอนเงินผ่านธนาคาร หรือกระเป๋าเงินดิจิทัล',
  crypto: 'คริปโต',
  card: 'บัตร',
  bank: 'โอนเงินผ่านธนาคาร',
  through: provider => `ผ่าน ${provider}`,
  moreWays: 'วิธีชำระเงินอื่น',
  moreCoins: 'เหรียญอื่น',
  filter: 'ค้นหาวิธีชำระเงิน',
  noMatch: 'ไม่พบวิธีชำระเงินที่ตรงกัน',
  usual: (fee, time) => `ค่าธรรมเนียมเครือข่ายโดยปกติประมาณ ${fee} ใช้เวลาประมาณ ${time}`,
  networks: count =>
    plural('th', count, {
      other: `${count} เครือข่าย`,
    }),
  payWith: method => `ชำระด้วย ${method}`,
  continueTo: method => `ไปต่อที่ ${method}`,
  keepPageOpen: method => `${method} จะเปิดในแท็บใหม่ โปรดกลับมาที่หน้านี้เพื่อดูว่าการชำระเงินของคุณมาถึงเมื่อใด`,
  back: 'กลับไปที่การชำระเงินที่คุณเริ่มไว้',
  noMethod: 'ไม่มีวิธีชำระเงินที่ใช้ได้',
  nothing: 'ขณะนี้ไม่มีวิธีชำระเงินที่ใช้ได้',
  providerAway: 'ผู้ให้บริการชำระเงินไม่ตอบสนอง โปรดลองอีกครั้งในอีกไม่กี่นาที',
  noneForAmount: 'ไม่มีวิธีชำระเงินของร้านค้าที่ใช้ได้กับยอดนี้',
  openUntil: time => `คำสั่งซื้อนี้เปิดอยู่จนถึง ${time}`,
  cardsAway: 'ขณะนี้ชำระด้วยบัตร ธนาคาร หรือกระเป๋าเงินดิจิทัลไม่ได้',
  tryInMinutes: 'โปรดลองอีกครั้งในอีกไม่กี่นาที',
  networksAway: networks => `ขณะนี้เราเชื่อมต่อกับ ${networks} ไม่ได้`,
  otherOrLater: 'โปรดเลือกวิธีชำระเงินอื่น หรือลองอีกครั้งในอีกไม่กี่นาที',
  unavailable: method => `ใช้ ${method} ไม่ได้`,
  chooseOther: 'คุณไม่ได้ถูกเรียกเก็บเงิน โปรดเลือกวิธีอื่น',
  declined: method => `${method} ปฏิเสธการชำระเงิน`,
  tryAgainOrOther:
    'การชำระเงินไม่สำเร็จ หากธนาคารของคุณแสดงยอดที่กันไว้ ยอดนั้นจะหายไปเอง ' + 'โปรดลองอีกครั้งหรือเลือกวิธีอื่น',
}
