// How a call accesses its key where the key specification leaves it open. Stateless.
using Garnet.Engine.Requests;

namespace Garnet.Engine.Execution;

/// <summary>The access flags of the key of one call.</summary>
/// <param name="context">Holds the call's arguments.</param>
/// <param name="offset">Context argument with the call's name.</param>
internal delegate KeySpecFlags KeyFlagsResolver(in CommandContext context, int offset);
