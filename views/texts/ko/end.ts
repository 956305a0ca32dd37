import type { Texts } from '../types.ts'

export const end: Texts['end'] = {
  paid: '결제 완료',
  paidCoins: (amount, shop) => `${shop}에 ${amount}을(를) 결제했습니다.`,
  paidWith: (shop, method) => `${shop}에 ${method}(으)로 결제했습니다.`,
  paidShop: shop => `${shop}에 결제했습니다.`,
  thanks: '감사합니다!',
  refundedTitle: '환불됨',
  refunded: (amount, shop) => `${shop}에서 ${amount}을(를) 환불했습니다.`,
  expired: '이 주문은 만료되었습니다',
  contactFirst: shop => `다시 결제하기 전에 ${shop}에 문의하세요.`,
  notInTime: '제때 결제되지 않았습니다.',
  maybePaid: '이미 결제했다면 다시 주문하지 마세요. 결제는 계속 감지됩니다.',
  orderAgain: '아니라면 상점으로 돌아가 다시 주문하세요.',
  cancelled: '이 주문은 취소되었습니다',
  notCharged: '청구된 금액이 없습니다.',
  failed: '결제에 실패했습니다',
  declined: '결제 서비스에서 결제를 거절했습니다. 상점으로 돌아가 다시 주문하세요.',
  blocked: '결제할 수 없음',
  notAccepted: shop => `${shop}에서 이 결제를 받을 수 없습니다.`,
  haveQuestions: shop => `궁금한 점은 ${shop}에 문의하세요.`,
}
