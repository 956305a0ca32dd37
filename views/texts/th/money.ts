import type { Texts } from '../types.ts'

export const money: Texts['money'] = {
  received: (received, total, left) => `ได้รับ ${received} จาก ${total} · เหลืออีก ${left}`,
  receivedAll: (received, total) => `ได้รับ ${received} จาก ${total}`,
  awaiting: (amount, shop) => `ยอด ${amount} กำลังรอให้ ${shop} ยอมรับ โปรดอย่าส่งอะไรเพิ่มในตอนนี้`,
  awaitingUnknown: shop => `มีการชำระเงินที่กำลังรอให้ ${shop} ยอมรับ โปรดอย่าส่งอะไรเพิ่มในตอนนี้`,
  tooSmall: left => `ยอดที่เหลือ ${left} น้อยเกินกว่าจะส่งได้ เราแจ้งร้านค้าแล้ว คุณไม่ต้องส่งอะไรเพิ่ม`,
  others: 'การชำระเงินอื่นที่คุณเริ่มไว้',
  continueWith: name => `ดำเนินการต่อด้วย ${name}`,
  part: received => `ได้รับ ${received} แล้ว`,
  vanished: amount => `เครือข่ายไม่แสดงการชำระเงิน ${amount} ของคุณแล้ว โปรดตรวจสอบในกระเป๋าเงินของคุณก่อนส่งอีกครั้ง`,
  blind: (network, time) => `ขณะนี้เราเชื่อมต่อกับเครือข่าย ${network} ไม่ได้ ตรวจสอบล่าสุดเมื่อ ${time}`,
  blindAdvice:
    'หากคุณชำระแล้ว การชำระเงินของคุณไม่ได้หายไป โปรดอย่าชำระอีก ' + 'เราจะพบการชำระเงินของคุณทันทีที่เชื่อมต่อกับเครือข่ายได้',
}
