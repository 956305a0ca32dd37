import type { Texts } from '../types.ts'

export const notices: Texts['notices'] = {
  titles: {
    wrong_asset: 'הגיע מטבע אחר',
    underpaid: 'התשלום אינו מכסה את ההזמנה',
    late: 'התשלום הגיע באיחור',
    second_payment: 'הגיע תשלום שני',
    order_closed: 'הגיע תשלום עבור הזמנה סגורה',
    too_late: 'התשלום הגיע מאוחר מדי',
    overpaid: 'שילמת יותר מהנדרש',
  },
  otherCoin: 'מטבע אחר',
  received: {
    wrong_asset: (coins, wanted) => `קיבלנו ${coins}, אבל התשלום הזה היה אמור להיות ב-${wanted}.`,
    underpaid: (coins, value) => (value === null ? `קיבלנו ${coins}.` : `קיבלנו ${coins} בשווי ${value}.`),
    late: (coins, value) =>
      value === null
        ? `קיבלנו ${coins} אחרי שנגמר הזמן לתשלום.`
        : `קיבלנו ${coins} בשווי ${value} אחרי שנגמר הזמן לתשלום.`,
    second_payment: coins => `קיבלנו ${coins}, אבל ההזמנה כבר שולמה.`,
    order_closed: coins => `קיבלנו ${coins}, אבל ההזמנה הייתה סגורה.`,
    too_late: coins => `קיבלנו ${coins} זמן רב אחרי שנגמר הזמן לתשלום.`,
    overpaid: (coins, due) => `קיבלנו ${coins}, אבל נדרשו רק ${due}.`,
  },
  notLost: shop => `התשלום שלך נרשם, ונשלחה הודעה אל ${shop}.`,
  contact: shop => `יצירת קשר עם ${shop}`,
  contactForRefund: contact => `${contact} לקבלת החזר או לשאלות.`,
  refundAddress: network => `כתובת להחזר ברשת ${network}`,
  optional: '(לא חובה)',
  saveAddress: 'שמירת הכתובת להחזר',
  wrongAddress: 'אם היא שגויה, נא ליצור קשר עם החנות.',
}
