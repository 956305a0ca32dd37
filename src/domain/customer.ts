export interface Customer {
  id: string
  merchantId: string
  email: string
  blockedAt: number | null
  createdAt: number
}

export const FULL_NAME_MAX = 128
