import type { Texts } from '../types.ts'

export const receipt: Texts['receipt'] = {
  titleOf: shop => `إيصال من ${shop}`,
  title: 'إيصال الدفع',
  show: 'عرض الإيصال',
  paidOn: 'تاريخ الدفع',
  order: 'الطلب',
  item: 'المنتج',
  thisOrder: reference => `الطلب ${reference}`,
  amount: 'المبلغ',
  total: 'الإجمالي',
  refunded: date => `تم الاسترداد في ${date}`,
  afterRefunds: 'الإجمالي بعد الاسترداد',
  payment: 'الدفع',
  paidWith: 'طريقة الدفع',
  received: 'المبلغ المستلم',
  rate: 'سعر الصرف',
  transaction: 'المعاملة',
  byMerchant: shop => `سجّل ${shop} هذا الطلب كمدفوع.`,
  print: 'طباعة أو حفظ بصيغة PDF',
  backToOrder: 'العودة إلى الطلب',
  sandbox: 'دفعة تجريبية في بيئة الاختبار. لم يُدفع أي مال.',
}
