// embed.mjs BUILT OUTPUT.cpp writes the built viewer as a C++ source file that defines scree::view::viewer_files().
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [built, output] = process.argv.slice(2);
// In the exported page the script stands within an element, which "</script" would end.
const safe = (text) => text.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');
const page = readFileSync(join(built, 'index.html'), 'utf8');
const script = safe(readFileSync(join(built, 'viewer.js'), 'utf8'));
const style = readFileSync(join(built, 'viewer.css'), 'utf8');
if (style.includes('</style')) throw new Error('the style sheet would end its own element');
const hash = (text) => 'sha256-' + createHash('sha256').update(text, 'utf8').digest('base64');

// String literals of at most 8000 bytes, all that is not plain ASCII as octal escapes.
function literal(text) {
  const bytes = Buffer.from(text, 'utf8');
  const lines = [];
  for (let at = 0; at < bytes.length; at += 8000) {
    let line = '';
    for (const byte of bytes.subarray(at, at + 8000)) {
      if (byte === 0x22 || byte === 0x5c) line += '\\' + String.fromCharCode(byte);
      else if (byte >= 0x20 && byte < 0x7f && byte !== 0x3f) line += String.fromCharCode(byte);
      else line += '\\' + byte.toString(8).padStart(3, '0');
    }
    lines.push(`    "${line}"`);
  }
  return (lines.join('\n') || '    ""') + 'sv';
}

writeFileSync(
  output,
  `#include "view/viewer_files.h"

namespace scree::view {

using namespace std::string_view_literals;

const ViewerFiles& viewer_files() {
    static constexpr ViewerFiles files{
${[page, script, style, hash(script), hash(style)].map(literal).join(',\n')}};
    return files;
}

}  // namespace scree::view
`,
);
