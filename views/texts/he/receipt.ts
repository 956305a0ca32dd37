import type { Texts } from '../types.ts'

export const receipt: Texts['receipt'] = {
  titleOf: shop => `קבלה מאת ${shop}`,
  title: 'קבלה',
  show: 'הצגת הקבלה',
  paidOn: 'תאריך התשלום',
  order: 'הזמנה',
  item: 'פריט',
  thisOrder: reference => `הזמנה ${reference}`,
  amount: 'סכום',
  total: 'סך הכול',
  refunded: date => `הוחזר ב-${date}`,
  afterRefunds: 'סך הכול לאחר החזרים',
  payment: 'תשלום',
  paidWith: 'אמצעי תשלום',
  received: 'התקבל',
  rate: 'שער המרה',
  transaction: 'עסקה',
  byMerchant: shop => `ההזמנה סומנה כמשולמת על ידי ${shop}.`,
  print: 'הדפסה או שמירה כ-PDF',
  backToOrder: 'חזרה להזמנה',
  sandbox: 'תשלום ניסיון בסביבת ניסיון. לא שולם כסף אמיתי.',
}
