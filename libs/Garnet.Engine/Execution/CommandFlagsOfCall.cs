// What a call of a command that runs a script declares.
using Garnet.Engine.Requests;

namespace Garnet.Engine.Execution;

/// <summary>The flags of one call of a command, in place of the command's own.</summary>
internal delegate CommandFlags CommandFlagsOfCall(ref CommandContext context);
