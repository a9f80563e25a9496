/** @type {import('next').NextConfig} */
export default {
  // The example is checked by itself, not as a part of the package that it stands in.
  turbopack: { root: import.meta.dirname },
};
