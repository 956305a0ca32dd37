import { serverFiguresBody } from '../../../../views/dashboard/server-figures.ts'
import { presentFigures } from '../../../present/server-figures.ts'
import { page, type Route } from '../kit.ts'

/** The page with the server's figures, for operators. */
export const serverFigureRoutes: readonly Route[] = [
  page({
    path: '/dashboard/server/figures',
    access: 'operator',
    async show({ context }) {
      const figures = await context.upkeep.figures()
      return locale => ({
        title: locale.texts.server.tabs.figures,
        body: serverFiguresBody(locale, presentFigures(locale, figures)),
      })
    },
  }),
]
