import { isLoopback } from '../domain/loopback.ts'
import { onOrOff, type Read, text, url } from './parsers.ts'
import { setting } from './setting.ts'

const releases: Read<string> = value => {
  const read = url(value)
  if (read !== '' && !read.startsWith('https:') && !isLoopback(new URL(read).hostname)) {
    throw new Error('must be an https:// URL')
  }
  return read
}

/** Settings about newer versions. */
export const updateTable = {
  releasesUrl: setting(
    'FLORIN_RELEASES_URL',
    '',
    'https:// URL of the folder with index.json, the list of releases, for florin update.',
    releases,
  ),
  releasesKeyFile: setting(
    'FLORIN_RELEASES_KEY_FILE',
    '',
    'File with the public key of minisign that releases are signed with, instead of the built-in one.',
    text,
  ),
  updateCheck: setting(
    'FLORIN_UPDATE_CHECK',
    'off',
    'on: the server asks FLORIN_RELEASES_URL once a day, and notifies of a release that repairs a security ' +
      'problem. The request says nothing about the installation. off: it never asks.',
    onOrOff,
  ),
}
