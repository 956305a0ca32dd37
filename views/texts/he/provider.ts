import type { Texts } from '../types.ts'

export const provider: Texts['provider'] = {
  payWith: method => `תשלום באמצעות ${method}`,
  waiting: method => `ממתינים ל-${method}`,
  otherTab:
    'יש להשלים את התשלום בכרטיסייה האחרת. הדף הזה מתעדכן אוטומטית כמה דקות אחרי התשלום. לאחר ' +
    'התשלום אפשר לסגור את הדף; ההזמנה תסומן כמשולמת בכל מקרה.',
  openAgain: method => `פתיחת ${method} מחדש`,
  unconfirmed: method => `${method} עדיין לא אישר את התשלום.`,
}
