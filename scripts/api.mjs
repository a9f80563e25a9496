// Reads the public API out of the built declarations: every exported name of every entry, with its documentation and its declaration.
// `api-report.mjs` makes the report of it; a reference can be made of it likewise.
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/**
 * @typedef {object} ApiMember
 * @property {string} name
 * @property {string} documentation One or more sentences; empty where there are none.
 */
/**
 * @typedef {object} ApiName
 * @property {string} name As it is imported.
 * @property {'class' | 'function' | 'interface' | 'namespace' | 'type' | 'value'} kind
 * @property {string} documentation One or more sentences; empty where there are none.
 * @property {string} declaration Its TypeScript, without documentation.
 * @property {readonly ApiMember[]} members Those of a class, an interface, a namespace or an object type that are for users.
 */
/**
 * @typedef {object} ApiEntry
 * @property {string} entry What is imported from: `rtk-resource/react`.
 * @property {readonly ApiName[]} names In alphabetical order.
 */

const dist = fileURLToPath(new URL('../dist/', import.meta.url));
const entries = {
  'rtk-resource': 'index',
  'rtk-resource/devtools': 'devtools',
  'rtk-resource/devtools/production': 'devtools/production',
  'rtk-resource/mock': 'mock',
  'rtk-resource/normalize': 'normalize',
  'rtk-resource/offline': 'offline',
  'rtk-resource/react': 'react',
};

/** Reads `dist`; the package must be built. @returns {readonly ApiEntry[]} */
export function readApi() {
  const files = Object.values(entries).map((name) => `${dist}${name}.d.ts`);
  const program = ts.createProgram(files, {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    strict: true,
    skipLibCheck: true,
    types: [],
  });
  const checker = program.getTypeChecker();
  return Object.entries(entries).map(([entry, name]) => {
    const source = program.getSourceFile(`${dist}${name}.d.ts`);
    const module = source && checker.getSymbolAtLocation(source);
    if (!module) throw new Error(`${entry} is not built`);
    return { entry, names: namesIn(checker, module) };
  });
}

/** @returns {readonly ApiName[]} */
function namesIn(/** @type {ts.TypeChecker} */ checker, /** @type {ts.Symbol} */ module) {
  return checker
    .getExportsOfModule(module)
    .map((exported) => {
      const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
      return {
        name: exported.name,
        kind: kindOf(symbol),
        documentation: documentationOf(checker, symbol),
        declaration: declarationOf(symbol),
        members: membersOf(checker, symbol),
      };
    })
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** @returns {ApiName['kind']} */
function kindOf(/** @type {ts.Symbol} */ { flags }) {
  if (flags & ts.SymbolFlags.Class) return 'class';
  if (flags & ts.SymbolFlags.Function) return 'function';
  if (flags & ts.SymbolFlags.Variable) return 'value';
  if (flags & ts.SymbolFlags.Namespace) return 'namespace';
  return flags & ts.SymbolFlags.Interface ? 'interface' : 'type';
}

function documentationOf(/** @type {ts.TypeChecker} */ checker, /** @type {ts.Symbol} */ symbol) {
  return ts.displayPartsToString(symbol.getDocumentationComment(checker)).replace(/\s+/g, ' ').trim();
}

const printer = ts.createPrinter({ removeComments: true });

function declarationOf(/** @type {ts.Symbol} */ symbol) {
  const written = (symbol.declarations ?? []).map((declaration) => {
    const node = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration;
    return printer.printNode(ts.EmitHint.Unspecified, node, node.getSourceFile());
  });
  return [...new Set(written)].join('\n').replace(/^declare /gm, '');
}

/** @returns {readonly ApiMember[]} */
function membersOf(/** @type {ts.TypeChecker} */ checker, /** @type {ts.Symbol} */ symbol) {
  if (symbol.flags & ts.SymbolFlags.NamespaceModule) {
    return checker.getExportsOfModule(symbol).map((exported) => {
      const target = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
      return { name: exported.name, documentation: documentationOf(checker, target) };
    });
  }
  const own = [
    ...(symbol.members?.values() ?? []),
    ...(symbol.flags & ts.SymbolFlags.Class ? (symbol.exports?.values() ?? []) : []),
  ];
  return own
    .filter(
      ({ name, flags }) =>
        !name.startsWith('__') &&
        name !== '#private' &&
        name !== 'prototype' &&
        !(flags & ts.SymbolFlags.TypeParameter),
    )
    .map((member) => ({ name: member.name, documentation: documentationOf(checker, member) }));
}
