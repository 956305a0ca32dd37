import { plural } from '../plural.ts'
import type { Texts } from '../types.ts'

export const errors: Texts['errors'] = {
  titles: {
    notFound: '페이지를 찾을 수 없음',
    notPossible: '할 수 없는 작업입니다',
    notAvailable: '이용할 수 없음',
    tooMany: '요청이 너무 많음',
    providerAway: '결제 서비스가 응답하지 않음',
    other: '문제가 발생했습니다',
  },
  titled: title => `오류: ${title}`,
  notSold: shop => `${shop}에서는 더 이상 이 상품을 판매하지 않습니다.`,
  shopClosed: '이 상점은 지금 결제를 받지 않습니다. 이미 결제했다면 주문 번호와 함께 상점에 문의하세요.',
  checkLink: '링크를 확인하거나 상점에 새 링크를 요청하세요.',
  backToPayment: '결제로 돌아가기',
  requestId: '요청 ID',
  waitMinute: '1분 정도 기다린 후 다시 시도하세요.',
  wait: seconds =>
    plural('ko', seconds, {
      other: `요청이 너무 많습니다. ${seconds}초 후에 다시 시도하세요.`,
    }),
  shopCannot: '지금은 상점에서 이 주문을 받을 수 없습니다. 나중에 다시 시도하거나 상점에 문의하세요.',
  byCode: {
    validation_error: '링크나 양식이 올바르지 않습니다. 뒤로 가거나 상점에 새 링크를 요청하세요.',
    not_found: '이 주소에는 페이지가 없습니다.',
    order_not_payable: '이 주문은 더 이상 결제할 수 없습니다. 상점으로 돌아가 다시 주문하세요.',
    method_not_offered: '이 결제 방법은 이용할 수 없습니다. 다른 방법을 선택하세요.',
    product_not_available: '이 상품은 이용할 수 없습니다. 상점으로 돌아가 다른 상품을 선택하세요.',
    internal_error: '다시 시도하세요. 또 발생하면 아래 요청 ID와 함께 상점에 문의하세요.',
    provider_unavailable: '몇 분 후에 다시 시도하세요.',
  },
  byReason: {
    order_unknown: '이 주문은 존재하지 않습니다.',
    product_unknown: '이 상품은 존재하지 않습니다.',
    order_paid: '이 주문은 이미 결제되었습니다.',
    order_cancelled: '이 주문은 취소되었습니다.',
    order_expired: '이 주문은 만료되었습니다. 상점으로 돌아가 다시 주문하세요.',
    order_failed: '이 주문의 결제에 실패했습니다. 상점으로 돌아가 다시 주문하세요.',
    coin_not_offered: '지금은 이 주문에 이 코인을 이용할 수 없습니다. 다른 방법을 선택하세요.',
    coin_unsupported: '이 코인은 더 이상 지원되지 않습니다. 상점에 문의하세요.',
    nothing_to_refund: '환불할 금액이 없습니다. 착오라고 생각되면 상점에 문의하세요.',
    address_saved: '환불 주소가 이미 저장되어 있습니다. 변경하려면 상점에 문의하세요.',
    private_key: '개인 키로 보입니다. 절대 공유하지 마세요. 대신 주소를 입력하세요.',
    payment_address: '결제 금액을 보낼 주소입니다. 본인 지갑의 주소를 입력하세요.',
    payments_open: '이 주문에 결제를 10개 열었습니다. 그중 하나를 결제하거나 30분 후에 다시 시도하세요.',
    changed: '페이지가 최신 상태가 아니었습니다. 새로고침한 후 다시 시도하세요.',
  },
  notAnAddress: network => `${network} 주소가 아닙니다. 지갑에서 다시 복사하세요.`,
}
