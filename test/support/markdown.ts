import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/** The text without code, where brackets and number signs have other meanings. */
const withoutCode = (text: string): string =>
  text.replace(/^```[\s\S]*?^```$/gm, '').replace(/`[^`\n]*`/g, '')

/** GitHub's anchor of a heading. */
const slugOf = (heading: string): string =>
  heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')

/** The anchors of a page; the second of two equal headings ends with -1. */
function anchorsOf(text: string): Set<string> {
  const seen = new Map<string, number>()
  const lines = text.replace(/^```[\s\S]*?^```$/gm, '')
  const anchors = [...lines.matchAll(/^#{1,6} +(.+)$/gm)].map(([, heading = '']) => {
    const slug = slugOf(heading)
    const count = seen.get(slug) ?? 0
    seen.set(slug, count + 1)
    return count === 0 ? slug : `${slug}-${count}`
  })
  return new Set(anchors)
}

/** Links inside the repository: relative paths and anchors, including pictures. */
function targetsOf(text: string): string[] {
  const plain = withoutCode(text)
  const inline = [...plain.matchAll(/\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)/g)]
  const reference = [...plain.matchAll(/^\[[^\]]+\]:\s*(\S+)/gm)]
  const html = [...plain.matchAll(/\b(?:src|href)="([^"]+)"/g)]
  return [...inline, ...reference, ...html]
    .map(match => match[1] ?? '')
    .filter(target => !/^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(target))
}

/** The fault of a page's link; null if it resolves. */
function faultOf(root: string, page: string, target: string): string | null {
  const [path = '', anchor] = target.split('#')
  const file = path === '' ? join(root, page) : join(root, dirname(page), decodeURIComponent(path))
  const broken = `${page}: ${target}`
  if (relative(root, file).startsWith('..') || !existsSync(file)) return broken
  if (anchor === undefined) return null
  const isPage = statSync(file).isFile() && file.endsWith('.md')
  return isPage && anchorsOf(readFileSync(file, 'utf8')).has(anchor) ? null : broken
}

export const brokenLinks = (root: string, page: string): string[] =>
  targetsOf(readFileSync(join(root, page), 'utf8')).flatMap(target => faultOf(root, page, target) ?? [])
