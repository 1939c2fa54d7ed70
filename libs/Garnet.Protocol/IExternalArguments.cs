// The caller's side of arguments that never passed through the receive buffer. Used on the connection's thread.
namespace Garnet.Protocol;

/// <summary>Gives the bytes of arguments that the caller received itself after <see cref="RequestParser.TakePendingBulk"/>.</summary>
public interface IExternalArguments
{
    /// <summary>The bytes of the argument at an index of the table.</summary>
    ReadOnlySpan<byte> GetArgument(int tableIndex);
}
