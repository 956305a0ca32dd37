import { plural } from '../plural.ts'
import type { Texts } from '../types.ts'

export const choose: Texts['choose'] = {
  title: 'בחירת אמצעי תשלום',
  byProvider: 'כרטיס, העברה בנקאית או ארנק דיגיטלי',
  crypto: 'קריפטו',
  card: 'כרטיס',
  bank: 'העברה בנקאית',
  through: provider => `דרך ${provider}`,
  moreWays: 'דרכי תשלום נוספות',
  moreCoins: 'מטבעות נוספים',
  filter: 'חיפוש דרך תשלום',
  noMatch: 'לא נמצאה דרך תשלום מתאימה.',
  usual: (fee, time) => `עמלת רשת: בדרך כלל כ-${fee}. זמן: כ-${time}`,
  networks: count =>
    plural('he', count, {
      one: 'רשת אחת',
      two: `${count} רשתות`,
      other: `${count} רשתות`,
    }),
  payWith: method => `תשלום באמצעות ${method}`,
  continueTo: method => `המשך אל ${method}`,
  keepPageOpen: method => `${method} נפתח בכרטיסייה חדשה. יש לחזור לדף הזה כדי לראות מתי התשלום הגיע.`,
  handledBy: company =>
    `חברת ${company} מטפלת בתשלום ומשלמת לחנות בקריפטו. ייתכן שיידרש אמצעי זיהוי ושתתווסף עמלה.`,
  handledByNamed: 'החברה המצוינת מטפלת בתשלום ומשלמת לחנות בקריפטו. ייתכן שיידרש אמצעי זיהוי ושתתווסף עמלה.',
  back: 'חזרה לתשלום שהתחלת',
  noMethod: 'אין אמצעי תשלום',
  nothing: 'אין כרגע אמצעי תשלום זמין',
  providerAway: 'ספק התשלומים אינו מגיב. נא לנסות שוב בעוד כמה דקות.',
  noneForAmount: 'אף אחד מאמצעי התשלום של החנות אינו זמין לסכום הזה.',
  openUntil: time => `ההזמנה נשארת פתוחה עד ${time}.`,
  cardsAway: 'תשלום בכרטיס, בהעברה בנקאית או בארנק דיגיטלי אינו זמין כרגע.',
  tryInMinutes: 'נא לנסות שוב בעוד כמה דקות.',
  networksAway: networks => `אין לנו כרגע גישה אל ${networks}.`,
  otherOrLater: 'נא לבחור אמצעי תשלום אחר, או לנסות שוב בעוד כמה דקות.',
  unavailable: method => `${method} אינו זמין`,
  chooseOther: 'לא בוצע חיוב. נא לבחור אמצעי אחר.',
  declined: method => `${method} דחה את התשלום`,
  tryAgainOrOther:
    'התשלום לא הושלם. אם הבנק מציג סכום מוקפא, ההקפאה תבוטל מעצמה. אפשר לנסות שוב או לבחור אמצעי אחר.',
}
