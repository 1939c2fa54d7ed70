// Finds the typed commands of an IGarnet, and the bytes of texts. Stateless; any thread.
using System.Text;

namespace Garnet.Hosting.InProcess;

/// <summary>What the typed extension methods begin with.</summary>
internal static class TypedCommands
{
    /// <summary>Texts up to so many bytes are encoded on the stack.</summary>
    public const int StackBytes = 512;

    public static ITypedCommands Typed(this IGarnet garnet)
    {
        ArgumentNullException.ThrowIfNull(garnet);
        return garnet as ITypedCommands ?? new ExecutedCommands(garnet);
    }

    /// <summary>A text's UTF-8 bytes, in the buffer given where that is long enough.</summary>
    public static ReadOnlySpan<byte> Encode(string text, Span<byte> buffer)
    {
        ArgumentNullException.ThrowIfNull(text);
        return Encoding.UTF8.TryGetBytes(text, buffer, out int length) ? buffer[..length] : Encoding.UTF8.GetBytes(text);
    }

    /// <summary>A text's UTF-8 bytes in an array of their own, for calls that may outlive the caller's stack.</summary>
    public static ReadOnlyMemory<byte> Encode(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        return Encoding.UTF8.GetBytes(text);
    }
}
