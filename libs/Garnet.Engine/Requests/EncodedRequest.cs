// Requests that are already what the stream of effects would have in their place. Stateless.
using Garnet.Protocol;

namespace Garnet.Engine.Requests;

/// <summary>
/// Most effects are the request as it was received: then it is copied as a whole, and not encoded again argument by argument.
/// </summary>
internal static class EncodedRequest
{
    /// <summary>
    /// Finds the bytes that are exactly the encoding of the arguments as an array of bulk strings, all headers and ends of lines compared;
    /// false where there are none: for inline requests, for arguments that were replaced or are elsewhere, for <c>$03</c>.
    /// </summary>
    public static bool TryFind(ReadOnlySpan<byte> buffer, ReadOnlySpan<ArgumentRange> arguments, out ReadOnlySpan<byte> encoded)
    {
        encoded = default;
        int start = -1;
        int end = -1;
        foreach (ArgumentRange argument in arguments)
        {
            if (!argument.IsInBuffer)
                return false;
            int header = HeaderStart(buffer, argument.Offset, (byte)'$', argument.Length);
            if (start < 0)
                start = header < 0 ? -1 : HeaderStart(buffer, header, (byte)'*', arguments.Length);
            else if (header != end)
                return false;
            end = argument.Offset + argument.Length + 2;
            if (start < 0 || end > buffer.Length || buffer[end - 2] != '\r' || buffer[end - 1] != '\n')
                return false;
        }

        if (start < 0)
            return false;
        encoded = buffer[start..end];
        return true;
    }

    // Where the header that ends at a position begins; -1 when what is there is no such header.
    private static int HeaderStart(ReadOnlySpan<byte> buffer, int end, byte kind, int number)
    {
        int at = end - 2;
        if (at < 2 || buffer[at] != '\r' || buffer[at + 1] != '\n')
            return -1;
        do
        {
            if (--at < 1 || buffer[at] != '0' + (number % 10))
                return -1;
            number /= 10;
        } while (number != 0);
        return buffer[at - 1] == kind ? at - 1 : -1;
    }
}
