// A refusal as a value: what is told of it depends on who asked. Immutable.
namespace Garnet.Engine.Rules;

/// <summary>Why a request may not run.</summary>
/// <param name="Kind">The reason.</param>
/// <param name="Detail">What the reason's text needs besides the request; see the kind.</param>
/// <param name="Position">The argument because of which it is refused; 0 when it is no argument.</param>
internal readonly record struct Refusal(RefusalKind Kind, object? Detail = null, int Position = 0)
{
    /// <summary>Whether the rules of the client's user are the reason.</summary>
    public bool IsOfPermission =>
        Kind is RefusalKind.CommandDenied or RefusalKind.KeyDenied or RefusalKind.ChannelDenied or RefusalKind.DatabaseDenied;
}
