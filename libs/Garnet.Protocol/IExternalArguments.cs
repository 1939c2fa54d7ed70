// The caller's side of arguments that are kept outside of the receive buffer. Used on the connection's thread.
namespace Garnet.Protocol;

/// <summary>Keeps arguments of an unfinished request, so that its bytes need not stay in the receive buffer until its end.</summary>
public interface IExternalArguments
{
    /// <summary>Copies an argument out of the receive buffer; gives a handle below <see cref="ArgumentRange.ExternalHandles"/>.</summary>
    int Keep(ReadOnlySpan<byte> argument);

    /// <summary>The bytes of a kept argument.</summary>
    ReadOnlySpan<byte> Get(int handle, int length);
}
