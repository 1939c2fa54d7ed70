// Which arguments of a command are channels, for access control. Immutable.
namespace Garnet.Engine.Requests;

/// <summary>Channels are the first argument, or all arguments.</summary>
/// <param name="IsOne">Only the first argument is one.</param>
/// <param name="ArePatterns">They are patterns of channels.</param>
internal sealed record ChannelSpec(bool IsOne = false, bool ArePatterns = false);
