import type { Texts } from '../types.ts'

export const end: Texts['end'] = {
  paid: 'שולם',
  paidCoins: (amount, shop) => `שילמת ${amount} ל-${shop}.`,
  paidWith: (shop, method) => `שילמת ל-${shop} באמצעות ${method}.`,
  paidShop: shop => `שילמת ל-${shop}.`,
  thanks: 'תודה!',
  refundedTitle: 'בוצע החזר',
  refunded: (amount, shop) => `בוצע החזר של ${amount} על ידי ${shop}.`,
  expired: 'תוקף ההזמנה פג',
  contactFirst: shop => `נא ליצור קשר עם ${shop} לפני תשלום נוסף.`,
  notInTime: 'ההזמנה לא שולמה בזמן.',
  maybePaid: 'אם כבר שילמת, אין להזמין שוב: התשלום יזוהה בכל מקרה.',
  orderAgain: 'אם לא, אפשר לחזור לחנות ולהזמין שוב.',
  cancelled: 'ההזמנה בוטלה',
  notCharged: 'לא בוצע חיוב.',
  failed: 'התשלום נכשל',
  declined: 'ספק התשלומים דחה את התשלום. אפשר לחזור לחנות ולהזמין שוב.',
  blocked: 'לא ניתן לשלם',
  notAccepted: shop => `${shop} אינו יכול לקבל את התשלום הזה.`,
  haveQuestions: shop => `לשאלות אפשר ליצור קשר עם ${shop}.`,
}
