import type { Texts } from '../types.ts'

export const receipt: Texts['receipt'] = {
  title: '영수증',
  titleOf: shop => `${shop} 영수증`,
  show: '영수증 보기',
  paidOn: '결제 일시',
  order: '주문',
  item: '상품',
  thisOrder: reference => `주문 ${reference}`,
  amount: '금액',
  total: '합계',
  refunded: date => `${date} 환불`,
  afterRefunds: '환불 후 합계',
  payment: '결제',
  paidWith: '결제 방법',
  received: '받은 금액',
  rate: '환율',
  transaction: '거래',
  byMerchant: shop => `${shop}에서 이 주문을 결제 완료로 표시했습니다.`,
  print: '인쇄 또는 PDF로 저장',
  backToOrder: '주문으로 돌아가기',
  sandbox: '테스트 환경의 테스트 결제입니다. 실제 돈은 결제되지 않았습니다.',
}
