// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// Light is computed at vertices, so that a processor that draws in the place of a GPU has one entry of a palette to fetch
// a pixel; a picture without a cut discards nothing, so that what is hidden is not computed.
import { paletteWidth } from "./colours";

/** Deformed by two displacements, each with its factor. */
const deform = `
attribute vec3 first;
uniform vec2 deformation;
#ifdef SECOND
attribute vec3 second;
vec3 deformed() { return position + deformation.x * first + deformation.y * second; }
#else
vec3 deformed() { return position + deformation.x * first; }
#endif
`;

/** Normals turn with the deformation by how they begin to; values are a sum of two as well. */
export const surfaceVertex = `
${deform}
attribute vec3 tilt;
#ifdef SECOND
attribute vec3 secondTilt;
#endif
uniform vec2 weights;
uniform vec2 range;
varying float light;
#ifndef SIMPLE
varying float glow;
#endif
#ifdef COLOURED
attribute vec2 values;
varying float value;
#else
attribute vec3 tint;
varying vec3 own;
#endif
#ifdef CUT
varying vec3 place;
#endif
void main() {
  vec3 x = deformed();
  vec4 eye = modelViewMatrix * vec4(x, 1.0);
  vec3 turned = normal + deformation.x * tilt;
#ifdef SECOND
  turned += deformation.y * secondTilt;
#endif
  vec3 n = normalMatrix * turned;
  n *= inversesqrt(dot(n, n)) * (dot(n, eye.xyz) > 0.0 ? -1.0 : 1.0);
  const vec3 lamp = vec3(0.3523, 0.5537, 0.7550);
  float key = max(dot(n, lamp), 0.0);
  float fill = max(dot(n, vec3(-0.8351, 0.1193, 0.5369)), 0.0);
  light = 0.45 + 0.50 * key + 0.16 * fill;
#ifndef SIMPLE
  vec3 towards = normalize(-eye.xyz);
  float rim = 1.0 - max(dot(n, towards), 0.0);
  float shine = pow(max(dot(n, normalize(lamp + towards)), 0.0), 40.0);
  glow = 0.11 * shine + 0.05 * rim * rim * rim;
#endif
#ifdef COLOURED
  float sum = dot(values, weights);
  value = sum > 1e29 ? 1e9 : 0.5 + (sum - range.x) * (${paletteWidth - 1}.0 / (range.y - range.x));
#else
  own = tint;
#endif
#ifdef CUT
  place = x;
#endif
  gl_Position = projectionMatrix * eye;
}`;

export const surfaceFragment = `
uniform sampler2D palette;
uniform vec4 cut;
uniform vec3 inside;
varying float light;
#ifndef SIMPLE
varying float glow;
#endif
#ifdef COLOURED
varying float value;
#else
varying vec3 own;
#endif
#ifdef CUT
varying vec3 place;
#endif
void main() {
#ifdef CUT
  if (dot(place, cut.xyz) > cut.w) discard;
#endif
#ifdef COLOURED
  // Where there is no value, the entry behind the last.
  float entry = value > 1e6 ? ${paletteWidth}.5 : clamp(value, 0.0, ${paletteWidth - 1}.5);
  vec3 colour = texelFetch(palette, ivec2(int(entry), 0), 0).rgb;
#else
  vec3 colour = own;
#endif
#ifdef CUT
  if (!gl_FrontFacing) colour = mix(colour, inside, 0.72);
#endif
  colour *= light;
#ifndef SIMPLE
  colour += glow;
#endif
  gl_FragColor = vec4(colour, 1.0);
}`;

export const edgeVertex = `
${deform}
#ifdef CUT
varying vec3 place;
#endif
void main() {
  vec3 x = deformed();
#ifdef CUT
  place = x;
#endif
  gl_Position = projectionMatrix * modelViewMatrix * vec4(x, 1.0);
}`;

export const edgeFragment = `
uniform vec4 cut;
uniform vec4 colour;
#ifdef CUT
varying vec3 place;
#endif
void main() {
#ifdef CUT
  if (dot(place, cut.xyz) > cut.w) discard;
#endif
  gl_FragColor = colour;
}`;
