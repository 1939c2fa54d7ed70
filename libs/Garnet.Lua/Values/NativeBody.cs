// The code of a function of the host. Runs on the thread that runs the state.
using Garnet.Lua.Execution;

namespace Garnet.Lua.Values;

/// <summary>Runs a function of the host: reads the arguments from the call, pushes results, and returns their number.</summary>
internal delegate int NativeBody(NativeCall call);
