import type { Texts } from '../types.ts'

export const provider: Texts['provider'] = {
  payWith: method => `الدفع عبر ${method}`,
  waiting: method => `في انتظار ${method}`,
  otherTab:
    'أكمل الدفع في علامة التبويب الأخرى. تُحدَّث هذه الصفحة تلقائيًا بعد بضع دقائق من الدفع. بعد ' +
    'أن تدفع يمكنك إغلاق هذه الصفحة، وسيُسجَّل طلبك مدفوعًا.',
  openAgain: method => `فتح ${method} مرة أخرى`,
  unconfirmed: method => `لم يؤكّد ${method} الدفعة بعد.`,
  incomplete: 'الدفعة غير مكتملة',
  tooLittle: method =>
    `المبلغ المستلم عبر ${method} لا يغطي هذا الطلب. يُرجى التواصل مع المتجر قبل الدفع مرة أخرى.`,
  nothingMore: 'لم يصل أي مبلغ آخر.',
}
