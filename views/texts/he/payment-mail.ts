import type { Texts } from '../types.ts'

export const paymentMail: Texts['paymentMail'] = {
  subject: (title, shop) => `${title} – ${shop}`,
  part: 'חלק מהתשלום הגיע',
  left: (left, total) => `נותר לשלם ${left} מתוך ${total}. אפשר לשלם את היתרה בכל דרך שהחנות מציעה.`,
  payRest: 'תשלום היתרה',
  vanished: 'התשלום כבר לא מופיע ברשת',
  refund: 'ההחזר שלך',
  recorded: (shop, amount) => `נרשם אצל ${shop} החזר של ${amount} עבור ההזמנה שלך.`,
  refundedTotal: 'סך הכול הוחזר',
  sentApart: shop => `הכסף נשלח אליך בנפרד על ידי ${shop}. אם הוא לא מגיע, נא ליצור קשר עם החנות.`,
  sentBack: 'הכסף מוחזר על ידי ספק התשלומים שדרכו בוצע התשלום.',
  decides: 'החנות מחליטה על החזר.',
  leaveAddress: 'כדי לקבל את הכסף בחזרה, אפשר להשאיר כתובת להחזר בדף ההזמנה.',
  worth: 'שווי',
  why: shop => `קיבלת הודעה זו כי הכתובת הזו נמסרה בהזמנה אצל ${shop}.`,
}
