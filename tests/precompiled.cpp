// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// Nothing but the executable whose precompiled header all tests share: it has their flags, as g++ asks for.
