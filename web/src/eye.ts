// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
import { PerspectiveCamera, Vector3 } from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";

/** From where the model is seen, moved by the pointer and by what is called here. */
export class Eye {
  readonly camera: PerspectiveCamera;
  private readonly controls: OrbitControls;

  constructor(
    canvas: HTMLCanvasElement,
    private readonly size: number, // of the model
    private readonly moved: () => void,
  ) {
    this.camera = new PerspectiveCamera(26, 1, size / 100, size * 20);
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = false;
    this.controls.zoomToCursor = true;
    this.controls.addEventListener("change", () => this.moved());
  }

  setAspect(aspect: number): void {
    this.camera.aspect = aspect;
    this.camera.updateProjectionMatrix();
  }

  /** From this direction, all of it in sight. */
  look(direction: [number, number, number]): void {
    const towards = new Vector3(...direction).normalize();
    // From straight above there is no up but y.
    this.camera.up.set(0, 0, 1);
    if (Math.abs(towards.z) > 0.999) towards.set(0, -1e-3, Math.sign(towards.z)).normalize();
    this.controls.target.set(0, 0, 0);
    this.camera.position.copy(towards.multiplyScalar(this.distanceOf()));
    this.update();
  }

  fit(): void {
    const towards = this.camera.position.clone().sub(this.controls.target).normalize();
    this.look([towards.x, towards.y, towards.z]);
  }

  private update(): void {
    this.controls.update();
    this.moved();
  }

  private distanceOf(): number {
    const half = (this.camera.fov * Math.PI) / 360;
    const narrow = Math.min(1, this.camera.aspect);
    return (0.5 * this.size) / (Math.sin(half) * narrow);
  }

  /** Angles in radians, to the right and up. */
  turn(right: number, up: number): void {
    const offset = this.camera.position.clone().sub(this.controls.target);
    offset.applyAxisAngle(new Vector3(0, 0, 1), -right);
    const side = new Vector3().crossVectors(new Vector3(0, 0, 1), offset).normalize();
    const polar = Math.acos(Math.min(1, Math.max(-1, offset.z / offset.length())));
    const change = Math.min(Math.max(polar - up, 0.02), Math.PI - 0.02) - polar;
    offset.applyAxisAngle(side, change);
    this.camera.position.copy(this.controls.target).add(offset);
    this.update();
  }

  /** Shares of the height of the picture. */
  shift(right: number, up: number): void {
    const distance = this.camera.position.distanceTo(this.controls.target);
    const height = 2 * distance * Math.tan((this.camera.fov * Math.PI) / 360);
    const step = new Vector3()
      .setFromMatrixColumn(this.camera.matrix, 0)
      .multiplyScalar(right * height)
      .add(new Vector3().setFromMatrixColumn(this.camera.matrix, 1).multiplyScalar(up * height));
    this.camera.position.add(step);
    this.controls.target.add(step);
    this.update();
  }

  zoom(factor: number): void {
    const offset = this.camera.position.clone().sub(this.controls.target).divideScalar(factor);
    this.camera.position.copy(this.controls.target).add(offset);
    this.update();
  }
}
