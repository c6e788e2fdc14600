// Bundles the pages and the figure script, and writes them as one C++ file for the library:
//
//   node build.mjs MODULES OUT            MODULES: the folder node_modules; OUT: the folder for what is made
//   node build.mjs MODULES OUT FILE.ts…   bundles these files for node instead (the tests)
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {basename, dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';

const [modules, out, ...files] = process.argv.slice(2);
const here = dirname(fileURLToPath(import.meta.url));
const source = join(here, 'src');
const viewer = join(here, 'viewer');
const esbuild = createRequire(join(modules, 'anything'))('esbuild');
mkdirSync(out, {recursive: true});

async function bundle(entry, options) {
  const result = await esbuild.build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    nodePaths: [modules],
    tsconfigRaw: '{}', // its paths are those of types
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'warning',
    ...options,
  });
  return result.outputFiles[0].text;
}
const for_node = {platform: 'node', format: 'esm', target: 'node18'};

// Long literals are cut: compilers need not take more than 64 KiB at once.
function literal(name, text) {
  const bytes = Buffer.from(text, 'utf8');
  const pieces = [];
  for (let at = 0; at < bytes.length; at += 12000) {
    const piece = [...bytes.subarray(at, at + 12000)].map((byte) => {
      if (byte === 0x22 || byte === 0x5c) return `\\${String.fromCharCode(byte)}`;
      if (byte >= 0x20 && byte < 0x7f && byte !== 0x3f) return String.fromCharCode(byte);
      return `\\${byte.toString(8).padStart(3, '0')}`;
    });
    pieces.push(`    "${piece.join('')}"`);
  }
  return `extern const char ${name}_text[];\nextern const unsigned long ${name}_size;\nconst char ${name}_text[] =\n${pieces.join('\n') || '""'};\nconst unsigned long ${name}_size = ${bytes.length};\n`;
}

async function style_of(file) {
  const text = readFileSync(file, 'utf8');
  return (await esbuild.transform(text, {loader: 'css', minify: true, charset: 'utf8'})).code;
}
const for_page = {minify: true, format: 'iife', target: 'es2022'};

/** The parts of the viewer: a page with places for head, data and script, and what goes there. */
async function bundle_viewer() {
  const licence = readFileSync(join(modules, 'three/LICENSE'), 'utf8').trim();
  const script = `/*\nThis script holds three.js.\n\n${licence}\n*/\n${await bundle(join(viewer, 'main.ts'), for_page)}`;
  const style = await style_of(join(viewer, 'viewer.css'));
  const page = readFileSync(join(viewer, 'viewer.html'), 'utf8');
  for (const [name, text] of Object.entries({'viewer.js': script, 'viewer.css': style}))
    writeFileSync(join(out, name), text);
  return `namespace stickslip::viewer::bundle {\n${literal('page', page)}${literal('style', style)}${literal('script', script)}}\n`;
}

if (files.length > 0) {
  for (const file of files) writeFileSync(join(out, `${basename(file, '.ts')}.mjs`), await bundle(file, for_node));
} else {
  // The notices that the licences ask for travel with every copy.
  const notices = ['echarts/NOTICE', 'echarts/LICENSE', 'echarts/licenses/LICENSE-d3', 'zrender/LICENSE'].map(
    (name) => `${name}\n\n${readFileSync(join(modules, name), 'utf8').trim()}`,
  );
  const licences = `/*\nThis script holds Apache ECharts, ZRender and tslib (0BSD).\n\n${notices.join('\n\n').replaceAll('*/', '* /')}\n*/\n`;
  const script = licences + (await bundle(join(source, 'page.ts'), for_page)).replaceAll('</script', '<\\/script');
  const style = await style_of(join(source, 'page.css'));
  const page = readFileSync(join(source, 'page.html'), 'utf8')
    .replace('@STYLE@', () => style)
    .replace('@SCRIPT@', () => script);
  const [head, tail] = page.split('@CAMPAIGN@');
  const figures = licences + (await bundle(join(source, 'render_figures.ts'), {...for_node, minify: true}));
  writeFileSync(join(out, 'page.html'), page);
  writeFileSync(join(out, 'render_figures.mjs'), figures);
  writeFileSync(
    join(out, 'report_bundle.cpp'),
    `// Made by web/build.mjs.\nnamespace stickslip::campaign::bundle {\n${literal('head', head)}${literal('tail', tail)}${literal('figures', figures)}}\n${await bundle_viewer()}`,
  );
}
