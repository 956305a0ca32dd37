import type { Texts } from '../types.ts'

export const notices: Texts['notices'] = {
  titles: {
    wrong_asset: 'وصلت عملة مختلفة',
    underpaid: 'دفعتك لا تغطي هذا الطلب',
    late: 'وصلت دفعتك متأخرة',
    second_payment: 'وصلت دفعة ثانية',
    order_closed: 'وصلت دفعة لطلب مغلق',
    too_late: 'وصلت دفعتك بعد فوات الأوان',
    overpaid: 'دفعت أكثر من المبلغ المطلوب',
  },
  otherCoin: 'عملة مختلفة',
  received: {
    wrong_asset: (coins, wanted) => `استلمنا ${coins}، لكن المطلوب في هذه الدفعة هو ${wanted}.`,
    underpaid: (coins, value) => (value === null ? `استلمنا ${coins}.` : `استلمنا ${coins} بقيمة ${value}.`),
    late: (coins, value) =>
      value === null
        ? `استلمنا ${coins} بعد انتهاء وقت الدفع.`
        : `استلمنا ${coins} بقيمة ${value} بعد انتهاء وقت الدفع.`,
    second_payment: coins => `استلمنا ${coins}، لكن هذا الطلب كان مدفوعًا بالفعل.`,
    order_closed: coins => `استلمنا ${coins}، لكن هذا الطلب كان مغلقًا.`,
    too_late: coins => `استلمنا ${coins} بعد وقت طويل من انتهاء وقت الدفع.`,
    overpaid: (coins, due) => `استلمنا ${coins}، بينما كان المطلوب ${due} فقط.`,
  },
  notLost: shop => `سُجّلت دفعتك، وأُبلغ ${shop} بذلك.`,
  contact: shop => `تواصل مع ${shop}`,
  contactForRefund: contact => `${contact} لاسترداد المبلغ أو إذا كانت لديك أسئلة.`,
  refundAddress: network => `عنوان الاسترداد على ${network}`,
  optional: '(اختياري)',
  saveAddress: 'حفظ عنوان الاسترداد',
  wrongAddress: 'إذا كان العنوان خاطئًا فتواصل مع المتجر.',
}
