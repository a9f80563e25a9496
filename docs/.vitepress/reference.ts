/** The reference: one page for each name that the package exports, made of its docstring and its declaration. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';
import { wordsOf } from './docstrings.js';
import { root } from './snippets.js';

/** What users import, and the file that it stands for. */
const entries = {
  'rtk-resource': 'src/index.ts',
  'rtk-resource/react': 'src/react/index.ts',
  'rtk-resource/mock': 'src/mock/index.ts',
  'rtk-resource/devtools': 'src/devtools/index.ts',
  'rtk-resource/normalize': 'src/tables/index.ts',
  'rtk-resource/offline': 'src/offline/index.ts',
} as const;
type Entry = keyof typeof entries;

/** Members of an endpoint that the store calls; users override the steps of a request instead. */
const forTheStore = new Set(
  'run expect attempted confirmed named line invalidated plainArgs definition pageOf paging shape value'.split(' '),
);

/** Members that every schema has for the engine; whoever writes a schema finds them at `Schema`. */
const forTheEngine = new Set(
  'children map normalize denormalize query begin isSame fill table kind inner member members pageFields pathNames pkOfArgs candidates'.split(
    ' ',
  ),
);

/** An interface that is not exported, and the exported one that has its members. */
const standsFor: Readonly<Record<string, string>> = { MemberSettings: 'EndpointSettings' };

/** A member of an exported class or interface. */
interface Member {
  readonly name: string;
  readonly signature: string;
  readonly about: string;
  /** What its `@default` says; empty where it has none. */
  readonly byDefault: string;
  readonly examples: readonly string[];
}

/** What is exported under a name. */
export interface Exported {
  readonly name: string;
  /** The file of its page, without its ending; file systems that ignore case keep apart `skipToken` and `SkipToken`. */
  readonly slug: string;
  readonly entry: Entry;
  readonly kind: 'Functions' | 'Classes' | 'Schemas' | 'Types';
  readonly about: string;
  readonly examples: readonly string[];
  /** Its declaration, without bodies. */
  readonly declaration: string;
  readonly members: readonly Member[];
  /** The exported types whose members it has too; they have pages of their own. */
  readonly bases: readonly string[];
  /** Where it is declared, from the root. */
  readonly file: string;
}

/** All that the package exports. */
export function readExports(): readonly Exported[] {
  const config = ts.readConfigFile(join(root, 'tsconfig.json'), (path) => ts.sys.readFile(path));
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, root);
  const files = Object.values(entries).map((path) => join(root, path));
  const program = ts.createProgram(files, { ...options, noEmit: false, declaration: true, removeComments: false });
  const reader = new Reader(program, files);
  const exported = (Object.entries(entries) as [Entry, string][]).flatMap(([entry, path]) =>
    reader
      .exportsOf(join(root, path))
      .flatMap((symbol) =>
        symbol.name === 'schema'
          ? reader.namespace(reader.target(symbol)).map((one) => ({ symbol: one, name: `schema.${one.name}`, entry }))
          : [{ symbol, name: symbol.name, entry }],
      ),
  );
  // What is exported twice gets one page; a class of `schema`, which declarations name `UnionSchema`, is known as `schema.Union`.
  const pages = new Map<ts.Symbol, (typeof exported)[number]>();
  for (const one of exported) {
    const target = reader.target(one.symbol);
    const known = pages.get(target);
    if (!known || known.name === `${one.symbol.name}Schema`) pages.set(target, one);
  }
  return [...pages.values()].map(({ symbol, name, entry }) => reader.read(symbol, name, entry));
}

class Reader {
  readonly #program: ts.Program;
  readonly #checker: ts.TypeChecker;
  readonly #emitted = new Map<string, ts.SourceFile>();
  readonly #slugs = new Map<string, string>();
  /** The declarations of interfaces that have a page, with their names. */
  readonly #interfaces: ReadonlyMap<ts.Node, string>;

  constructor(program: ts.Program, files: readonly string[]) {
    this.#program = program;
    this.#checker = program.getTypeChecker();
    const exported = files.flatMap((file) => this.exportsOf(file)).map((symbol) => this.target(symbol));
    this.#interfaces = new Map(
      exported.flatMap(({ name, declarations = [] }) =>
        declarations.filter(ts.isInterfaceDeclaration).map((declaration) => [declaration, name] as const),
      ),
    );
  }

  exportsOf(path: string): readonly ts.Symbol[] {
    const source = this.#program.getSourceFile(path);
    const symbol = source && this.#checker.getSymbolAtLocation(source);
    return symbol ? this.#checker.getExportsOfModule(symbol) : [];
  }

  namespace(symbol: ts.Symbol): readonly ts.Symbol[] {
    return this.#checker.getExportsOfModule(symbol);
  }

  target(symbol: ts.Symbol): ts.Symbol {
    return symbol.flags & ts.SymbolFlags.Alias ? this.#checker.getAliasedSymbol(symbol) : symbol;
  }

  read(symbol: ts.Symbol, name: string, entry: Entry): Exported {
    const target = this.target(symbol);
    const [first] = target.declarations ?? [];
    const file = first?.getSourceFile().fileName ?? '';
    const slug = name.replace('.', '-');
    const isTwin = (this.#slugs.get(slug.toLowerCase()) ?? slug) !== slug;
    this.#slugs.set(slug.toLowerCase(), slug);
    return {
      name,
      slug: isTwin ? `${slug}-type` : slug,
      entry,
      kind: name.startsWith('schema.') ? 'Schemas' : kindOf(target, symbol),
      ...this.#documentation(target),
      declaration: this.#declaration(file, target.name),
      members: this.#members(target),
      bases: this.#bases(target),
      file: relative(root, file),
    };
  }

  #documentation(symbol: ts.Symbol): Pick<Member, 'about' | 'byDefault' | 'examples'> {
    const tags = symbol.getJsDocTags(this.#checker);
    const about = wordsOf(symbol.getDocumentationComment(this.#checker));
    const examples = tags.filter(({ name }) => name === 'example').map(({ text }) => ts.displayPartsToString(text));
    const byDefault = tags.find(({ name }) => name === 'default')?.text;
    return { about, byDefault: wordsOf(byDefault), examples };
  }

  /** The declarations of a name in the types that are published, without their comments. */
  #declaration(file: string, name: string): string {
    const source = this.#emit(file);
    const printer = ts.createPrinter({ removeComments: true });
    const texts = source.statements
      .filter((statement) => namesOf(statement).includes(name))
      .map((statement) => printer.printNode(ts.EmitHint.Unspecified, statement, source));
    return texts.map((text) => text.replace(/^export (?:declare )?/, '').replace(/^declare /, '')).join('\n');
  }

  #emit(file: string): ts.SourceFile {
    let emitted = this.#emitted.get(file);
    if (!emitted) {
      let text = '';
      this.#program.emit(
        this.#program.getSourceFile(file),
        (_path, written) => {
          text = written;
        },
        undefined,
        true,
      );
      emitted = ts.createSourceFile(file.replace(/\.ts$/, '.d.ts'), text, ts.ScriptTarget.ES2022, true);
      this.#emitted.set(file, emitted);
    }
    return emitted;
  }

  #members(symbol: ts.Symbol): readonly Member[] {
    if (!(symbol.flags & (ts.SymbolFlags.Class | ts.SymbolFlags.Interface | ts.SymbolFlags.TypeAlias))) return [];
    const type = this.#checker.getDeclaredTypeOfSymbol(symbol);
    const isAlias = (symbol.flags & ts.SymbolFlags.TypeAlias) !== 0;
    if (isAlias && !(type.flags & ts.TypeFlags.Object)) return [];
    const own = [...type.getProperties()];
    const statics = symbol.flags & ts.SymbolFlags.Class ? [...(symbol.exports?.values() ?? [])] : [];
    const isSchema = own.some(({ name }) => name === 'denormalize') && (symbol.flags & ts.SymbolFlags.Class) !== 0;
    return [...statics, ...own]
      .filter(({ name }) => !(isSchema && forTheEngine.has(name)))
      .filter((member) => this.#base(member, symbol) === undefined)
      .flatMap((member) => this.#member(member));
  }

  #bases(symbol: ts.Symbol): readonly string[] {
    if (!(symbol.flags & ts.SymbolFlags.Interface)) return [];
    const members = this.#checker.getDeclaredTypeOfSymbol(symbol).getProperties();
    return [...new Set(members.flatMap((member) => this.#base(member, symbol) ?? []))];
  }

  /** The exported interface from which an interface has a member; none, where the member is its own. */
  #base(member: ts.Symbol, { flags, name }: ts.Symbol): string | undefined {
    const parent = member.declarations?.[0]?.parent;
    if (!(flags & ts.SymbolFlags.Interface) || !parent || !ts.isInterfaceDeclaration(parent)) return undefined;
    const base = this.#interfaces.get(parent) ?? standsFor[parent.name.text];
    return base === name ? undefined : base;
  }

  #member(member: ts.Symbol): readonly Member[] {
    const [declaration] = member.declarations ?? [];
    if (!declaration || member.name.startsWith('__') || forTheStore.has(member.name)) return [];
    const file = declaration.getSourceFile().fileName;
    // What every function has, and what errors have of the platform.
    if (!file.startsWith(join(root, 'src'))) return [];
    const hidden = ts.ModifierFlags.Private | ts.ModifierFlags.Protected;
    if (ts.getCombinedModifierFlags(declaration) & hidden || ts.isPrivateIdentifier(nameOf(declaration))) return [];
    const signatures = (member.declarations ?? []).map((one) => this.#signature(one));
    return [{ name: member.name, signature: signatures.join('\n'), ...this.#documentation(member) }];
  }

  #signature(declaration: ts.Declaration): string {
    const source = declaration.getSourceFile();
    const { body } = declaration as { readonly body?: ts.Node };
    const text = source.text.slice(declaration.getStart(source), body?.getFullStart() ?? declaration.getEnd());
    const lines = text
      .replace(/^(?:declare )?(static )?(?:declare )?(?:readonly )?/, '$1')
      .replace(/[;,]$/, '')
      .trim();
    return lines.replace(/ = [^=>][^]*$/, '').replace(/\n {2}/g, '\n');
  }
}

function nameOf(declaration: ts.Declaration): ts.Node {
  return ts.getNameOfDeclaration(declaration) ?? declaration;
}

function namesOf(statement: ts.Statement): readonly string[] {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.map(({ name }) => (ts.isIdentifier(name) ? name.text : ''));
  const { name } = statement as { readonly name?: ts.Node };
  return name && ts.isIdentifier(name) ? [name.text] : [];
}

function kindOf({ flags, name }: ts.Symbol, exported: ts.Symbol): Exported['kind'] {
  // A class of which only the type is exported.
  if (exported.declarations?.some(ts.isTypeOnlyExportDeclaration)) return 'Types';
  if (flags & ts.SymbolFlags.Class || name === 'RestEndpoint') return 'Classes';
  return flags & ts.SymbolFlags.Value ? 'Functions' : 'Types';
}

const code = (text: string): string => `\`\`\`tsx\n${text.trim()}\n\`\`\`\n`;

/** The page of a name, in Markdown. */
function pageOf({ name, entry, about, examples, declaration, members, bases, file }: Exported): string {
  const imported = name.split('.')[0] ?? name;
  const isLong = declaration.split('\n').length > 60;
  const isPlain = (member: Member): boolean => member.about === '' && !member.signature.includes('(');
  const cell = (text: string): string => `\`${text.replaceAll('|', '\\|').replace(/\s+/g, ' ')}\``;
  return [
    `---\ntitle: ${name}\neditLink: false\n---\n`,
    `# ${name}\n`,
    `\`import { ${imported} } from '${entry}'\`\n`,
    `${about}\n`,
    ...examples.map(code),
    ...(isLong ? [] : ['## Declaration\n', code(declaration)]),
    ...(members.length > 0 || bases.length > 0 ? ['## Members\n'] : []),
    ...(bases.length > 0 ? [`It also has the members of ${bases.map((base) => `\`${base}\``).join(', ')}.\n`] : []),
    ...(members.some(isPlain)
      ? [
          `| Member |\n| --- |\n${members
            .filter(isPlain)
            .map(({ signature }) => `| ${cell(signature)} |`)
            .join('\n')}\n`,
        ]
      : []),
    ...members
      .filter((member) => !isPlain(member))
      .flatMap((member) => [
        `### ${member.name}\n`,
        `${member.about}\n`,
        ...(member.byDefault === '' ? [] : [`Default: ${member.byDefault.replace(/^[\d_']+(?=,|$)/, '`$&`')}.\n`]),
        code(member.signature),
        ...member.examples.map(code),
      ]),
    `Declared in \`${file}\`.\n`,
  ].join('\n');
}

/** The page that lists them all. */
function indexOf(all: readonly Exported[]): string {
  const kinds = ['Functions', 'Classes', 'Schemas', 'Types'] as const;
  const sentence = (about: string): string =>
    (/^[^]*?[.;](?=\s|$)/.exec(about)?.[0] ?? about).replace(/;$/, '.').replace(/\s+/g, ' ');
  const row = ({ name, slug, about }: Exported): string =>
    `| [\`${name}\`](./${slug}.md) | ${sentence(about).replaceAll('|', '\\|')} |`;
  const table = (entry: string, kind: string): readonly string[] => {
    const those = all.filter((one) => one.entry === entry && one.kind === kind);
    return those.length === 0
      ? []
      : [`### ${kind}\n\n| Name | What it is |\n| --- | --- |\n${those.map(row).join('\n')}\n`];
  };
  return [
    '---\neditLink: false\n---\n\n# All exports\n\nOne page for each, made of the docstrings that an editor shows.\n',
    ...Object.keys(entries).flatMap((entry) => [`## ${entry}\n`, ...kinds.flatMap((kind) => table(entry, kind))]),
  ].join('\n');
}

/** Writes the pages; what is there already is left alone, for who watches the folder. */
export function writeReference(all: readonly Exported[]): void {
  const folder = join(root, 'docs/reference/api');
  mkdirSync(folder, { recursive: true });
  const pages = new Map([['index.md', indexOf(all)], ...all.map((one) => [`${one.slug}.md`, pageOf(one)] as const)]);
  const present = readdirSync(folder);
  for (const file of present) if (!pages.has(file)) rmSync(join(folder, file));
  for (const [file, text] of pages) {
    const path = join(folder, file);
    if (!present.includes(file) || readFileSync(path, 'utf8') !== text) writeFileSync(path, text);
  }
}
