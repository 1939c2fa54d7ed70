// The caller's store for arguments outside of the receive buffer. Used on the connection's thread.
namespace Garnet.Protocol;

/// <summary>Stores arguments of an unfinished request, so that its bytes need not stay in the receive buffer until its end.</summary>
internal interface IExternalArguments
{
    /// <summary>Copies an argument from the receive buffer; returns a handle below <see cref="ArgumentRange.ExternalHandles"/>.</summary>
    int Keep(ReadOnlySpan<byte> argument);

    /// <summary>The bytes of a stored argument.</summary>
    ReadOnlySpan<byte> Get(int handle, int length);
}
