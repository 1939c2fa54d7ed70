// Standard output and standard error, unbuffered. One thread at a time.
using System.ComponentModel;
using System.Runtime.InteropServices;

namespace Garnet.Cli.Output;

/// <summary>
/// Writes with the operating system's own call. The runtime's streams would hide that the reader is gone, so that <c>--scan | head</c>
/// would go on in vain; a file stream would write at its own position, not at the one that processes share.
/// </summary>
internal sealed class StandardStream : IOutput
{
    private const int Interrupted = 4; // EINTR
    private const int TryAgain = 11; // EAGAIN on Linux
    private const int TryAgainElsewhere = 35; // EAGAIN on macOS and BSD
    private const int BrokenPipe = 32; // EPIPE

    private readonly int _descriptor;
    private readonly Stream? _stream;

    private StandardStream(int descriptor, Func<Stream> windows)
    {
        _descriptor = descriptor;
        _stream = OperatingSystem.IsWindows() ? windows() : null;
    }

    /// <summary>Standard output.</summary>
    public static StandardStream Output { get; } = new(1, Console.OpenStandardOutput);

    /// <summary>Standard error.</summary>
    public static StandardStream Error { get; } = new(2, Console.OpenStandardError);

    /// <inheritdoc/>
    public void Write(ReadOnlySpan<byte> bytes)
    {
        if (_stream is not null)
        {
            WriteToStream(bytes);
            return;
        }

        while (!bytes.IsEmpty)
        {
            nint written = write(_descriptor, ref MemoryMarshal.GetReference(bytes), bytes.Length);
            if (written >= 0)
                bytes = bytes[(int)written..];
            else
                Retry(Marshal.GetLastPInvokeError());
        }
    }

    private void WriteToStream(ReadOnlySpan<byte> bytes)
    {
        try
        {
            _stream!.Write(bytes);
            _stream.Flush();
        }
        catch (IOException e)
        {
            throw new CliException($"Error writing the output: {e.Message}", CliException.BrokenPipe, e);
        }
    }

    // A terminal that another program has left non-blocking takes more in a moment.
    private static void Retry(int error)
    {
        var cause = new Win32Exception(error);
        if (error is TryAgain or TryAgainElsewhere)
            Thread.Sleep(1);
        else if (error == BrokenPipe)
            throw new CliException("", CliException.BrokenPipe, cause);
        else if (error != Interrupted)
            throw new CliException($"Error writing the output: {cause.Message}", cause: cause);
    }

    [DllImport("libc", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern nint write(int descriptor, ref byte bytes, nint count);
}
