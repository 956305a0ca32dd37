import type { Texts } from '../types.ts'

export const end: Texts['end'] = {
  paid: 'تم الدفع',
  paidCoins: (amount, shop) => `دفعت ${amount} إلى ${shop}.`,
  paidWith: (shop, method) => `دفعت إلى ${shop} عبر ${method}.`,
  paidShop: shop => `دفعت إلى ${shop}.`,
  thanks: 'شكرًا لك!',
  refundedTitle: 'تم رد المبلغ',
  refunded: (amount, shop) => `أعاد ${shop} مبلغ ${amount}.`,
  expired: 'انتهت صلاحية هذا الطلب',
  contactFirst: shop => `تواصل مع ${shop} قبل أن تدفع مرة أخرى.`,
  notInTime: 'لم يُدفع في الوقت المحدد.',
  maybePaid: 'إذا كنت قد دفعت بالفعل فلا تطلب مرة أخرى، فستُرصد دفعتك.',
  orderAgain: 'وإلا فعُد إلى المتجر واطلب مرة أخرى.',
  cancelled: 'أُلغي هذا الطلب',
  notCharged: 'لم يُخصم منك أي مبلغ.',
  failed: 'فشل الدفع',
  declined: 'رفض مزوّد خدمة الدفع الدفعة. عُد إلى المتجر واطلب مرة أخرى.',
  blocked: 'الدفع غير ممكن',
  notAccepted: shop => `لا يستطيع ${shop} قبول هذه الدفعة.`,
  haveQuestions: shop => `تواصل مع ${shop} إذا كانت لديك أسئلة.`,
}
