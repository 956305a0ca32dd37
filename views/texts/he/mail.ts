import type { Texts } from '../types.ts'

export const mail: Texts['mail'] = {
  linkSubject: shop => `ההזמנה שלך אצל ${shop}`,
  opened: 'התחלת לשלם עבור הזמנה זו. אפשר לחזור לתשלום בקישור שלמטה.',
  paid: shop => `התשלום התקבל אצל ${shop}. תודה.`,
  ignore: 'אם לא ביצעת את ההזמנה הזו, אפשר להתעלם מהודעה זו.',
}
