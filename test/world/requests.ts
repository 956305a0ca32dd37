import { Buyers } from './buyers.ts'
import { People } from './people.ts'
import { Programs } from './programs.ts'
import { Shopkeeping } from './shopkeeping.ts'
import type { Request } from './steps.ts'
import type { World, WorldOrder } from './world.ts'

/** Sends the requests of people and programs, and records the answers as sayings. */
export class Requests {
  readonly buyers: Buyers
  readonly programs: Programs
  readonly #people: People
  readonly #shopkeeping: Shopkeeping
  readonly #world: World

  constructor(world: World) {
    this.#world = world
    this.buyers = new Buyers(world)
    this.programs = new Programs(world)
    this.#people = new People(world)
    this.#shopkeeping = new Shopkeeping(world, this.programs)
  }

  async run(request: Request, together: number | null = null): Promise<void> {
    switch (request.do) {
      case 'order':
        return this.programs.create(request, together)
      case 'list':
        return this.programs.list(request)
      case 'redeliver':
        return this.programs.redeliver(request)
      case 'dashboard':
        return this.#people.lookAround(request)
      case 'settings':
      case 'rotate':
      case 'webhook':
      case 'buy':
      case 'product':
      case 'key':
        return this.#shopkeeping.run(request)
      default: {
        const order = this.#world.orders.get(request.order)
        if (order) await this.#runFor(order, request, together)
      }
    }
  }

  async #runFor(order: WorldOrder, request: Request, together: number | null): Promise<void> {
    switch (request.do) {
      case 'open':
        return this.buyers.open(order, request, together)
      case 'page':
        return this.buyers.openPage(order, request)
      case 'card':
        return this.buyers.openCard(order, request)
      case 'callback':
        return this.buyers.callBack(order, request)
      case 'visit':
        return this.buyers.visit(order, request, together)
      case 'refund-address':
        return this.buyers.leaveRefundAddress(order)
      case 'read':
        return this.programs.read(order, request.shop)
      case 'cancel':
        return request.by === 'key'
          ? this.programs.cancel(order, request, together)
          : this.#people.cancel(order, request.by, together)
      case 'end':
      case 'force':
      case 'accept':
      case 'resolve':
        return this.#people.decide(order, request, together)
      case 'refund':
        return request.by === 'key'
          ? this.programs.refund(order, request, together)
          : this.#people.refund(order, request, together)
      case 'send-refund':
        return this.#people.refund(order, request, together)
      case 'stranger':
        return this.programs.intrude(order, request.what)
    }
  }
}
