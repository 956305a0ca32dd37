import type { Texts } from '../types.ts'

export const money: Texts['money'] = {
  received: (received, total, left) => `התקבל: ${received} מתוך ${total} · נותר לשלם: ${left}`,
  receivedAll: (received, total) => `התקבל: ${received} מתוך ${total}`,
  awaiting: (amount, shop) => `הסכום ${amount} ממתין לאישור של ${shop}. בינתיים אין לשלוח דבר נוסף.`,
  awaitingUnknown: shop => `תשלום ממתין לאישור של ${shop}. בינתיים אין לשלוח דבר נוסף.`,
  tooSmall: left => `היתרה, ${left}, קטנה מכדי לשלוח אותה. החנות קיבלה הודעה, ואין צורך לשלוח דבר נוסף.`,
  others: 'תשלומים אחרים שהתחלת',
  continueWith: name => `המשך עם ${name}`,
  part: received => `התקבלו ${received}`,
  vanished: amount => `התשלום שלך בסך ${amount} כבר אינו מופיע ברשת. יש לבדוק אותו בארנק לפני שליחה נוספת.`,
  blind: (network, time) => `אין לנו כרגע גישה לרשת ${network}. הבדיקה האחרונה: ${time}.`,
  blindAdvice: 'אם כבר שילמת, התשלום לא אבד. אין לשלם שוב: נמצא אותו ברגע שתהיה לנו גישה לרשת.',
}
