import { plural } from '../plural.ts'
import type { Texts } from '../types.ts'

export const choose: Texts['choose'] = {
  title: '選擇付款方式',
  byProvider: '信用卡、銀行轉帳或數位錢包',
  crypto: '加密貨幣',
  card: '信用卡',
  bank: '銀行轉帳',
  through: provider => `透過 ${provider}`,
  moreWays: '更多付款方式',
  moreCoins: '更多幣種',
  filter: '尋找付款方式',
  noMatch: '沒有符合的付款方式。',
  usual: (fee, time) => `網路手續費通常約 ${fee}，時間約 ${time}`,
  networks: count =>
    plural('zh-Hant', count, {
      other: `${count} 個網路`,
    }),
  payWith: method => `使用 ${method} 付款`,
  continueTo: method => `前往 ${method}`,
  keepPageOpen: method => `${method} 會在新分頁中開啟。請返回此頁面查看付款是否送達。`,
  handledBy: company => `${company} 處理付款，並以加密貨幣付給商店。可能會要求驗證身分，並另收手續費。`,
  handledByNamed: '所示公司處理付款，並以加密貨幣付給商店。可能會要求驗證身分，並另收手續費。',
  back: '返回您已開始的付款',
  noMethod: '沒有付款方式',
  nothing: '目前沒有可用的付款方式',
  providerAway: '付款服務商沒有回應。請於幾分鐘後重試。',
  noneForAmount: '商店的付款方式都不適用於此金額。',
  openUntil: time => `此訂單在 ${time} 之前有效。`,
  cardsAway: '信用卡、銀行轉帳和數位錢包付款目前無法使用。',
  tryInMinutes: '請於幾分鐘後重試。',
  networksAway: networks => `我們目前無法連線到 ${networks}。`,
  otherOrLater: '請選擇其他付款方式，或於幾分鐘後重試。',
  unavailable: method => `${method} 無法使用`,
  chooseOther: '未向您扣款。請選擇其他方式。',
  declined: method => `${method} 拒絕了付款`,
  tryAgainOrOther: '付款未成功。如果您的銀行顯示有圈存金額，該圈存會自動解除。請重試，或選擇其他方式。',
}
