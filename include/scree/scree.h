// All of scree. Each header can be included by itself, too, and compiles faster.
//
// What fails is thrown as scree::Error (scree/error.h), with a message that says what is wrong, where, and what to do.
// All numbers are in SI units. No header includes anything but the standard library.
#pragma once

#include "scree/body.h"
#include "scree/contacts.h"
#include "scree/distance.h"
#include "scree/error.h"
#include "scree/grains.h"
#include "scree/measure.h"
#include "scree/run.h"
#include "scree/scene.h"
#include "scree/scene_file.h"
#include "scree/simulation.h"
#include "scree/threads.h"
#include "scree/triangulation.h"
#include "scree/vec.h"
#include "scree/version.h"
