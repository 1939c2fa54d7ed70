// The calls of Unix about terminals. Stateless; any thread.
using System.Runtime.InteropServices;

namespace Garnet.Cli.Interactive;

/// <summary>The settings of a terminal are opaque bytes here: their layout differs between systems.</summary>
internal static class TerminalCalls
{
    /// <summary>More than any system's settings need.</summary>
    public const int SettingsBytes = 256;

    /// <summary>Standard input.</summary>
    public const int Input = 0;

    private const int Now = 0; // TCSANOW
    private const short Readable = 1; // POLLIN
    private const nuint GetWindowSizeOfLinux = 0x5413; // TIOCGWINSZ
    private const int StopSignalOfLinux = 20; // SIGTSTP
    private const int StopSignalElsewhere = 18;

    /// <summary>The settings; null where input is no terminal.</summary>
    public static byte[]? TryGetSettings()
    {
        byte[] settings = new byte[SettingsBytes];
        return tcgetattr(Input, settings) == 0 ? settings : null;
    }

    /// <summary>Changes the settings; a terminal that is gone has none to change.</summary>
    public static void Set(byte[] settings) => _ = tcsetattr(Input, Now, settings);

    /// <summary>The settings with which each byte is passed on as it is.</summary>
    public static byte[] Raw(byte[] settings)
    {
        byte[] raw = [.. settings];
        cfmakeraw(raw);
        return raw;
    }

    /// <summary>Reads what there is of the input, at least a byte; 0 or less at its end.</summary>
    public static int Read(Span<byte> buffer) => (int)read(Input, ref MemoryMarshal.GetReference(buffer), buffer.Length);

    /// <summary>Whether the input has bytes, or is at its end, within a time.</summary>
    public static bool Poll(int milliseconds)
    {
        var request = new PollRequest { Descriptor = Input, Events = Readable };
        return poll(ref request, 1, milliseconds) > 0;
    }

    /// <summary>The columns of the terminal; 0 where it does not say.</summary>
    public static int Columns()
    {
        // Elsewhere the last argument is passed in another way.
        if (!OperatingSystem.IsLinux())
            return Console.IsOutputRedirected ? 0 : Console.WindowWidth;
        var size = default(WindowSize);
        return ioctl(1, GetWindowSizeOfLinux, ref size) == 0 ? size.Columns : 0;
    }

    /// <summary>Stops all processes of the job, as the terminal does for Ctrl+Z; may return before they stop.</summary>
    public static void StopJob() => _ = kill(0, OperatingSystem.IsLinux() ? StopSignalOfLinux : StopSignalElsewhere);

    [StructLayout(LayoutKind.Sequential)]
    private struct PollRequest
    {
        public int Descriptor;
        public short Events;
        public short Results;
    }

    [StructLayout(LayoutKind.Sequential)]
    private struct WindowSize
    {
        public ushort Rows;
        public ushort Columns;
        public ushort Width;
        public ushort Height;
    }

    [DllImport("libc")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int tcgetattr(int descriptor, byte[] settings);

    [DllImport("libc")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int tcsetattr(int descriptor, int when, byte[] settings);

    [DllImport("libc")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern void cfmakeraw(byte[] settings);

    [DllImport("libc")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern nint read(int descriptor, ref byte bytes, nint count);

    [DllImport("libc")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int poll(ref PollRequest requests, nuint count, int milliseconds);

    [DllImport("libc")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int ioctl(int descriptor, nuint request, ref WindowSize size);

    [DllImport("libc")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int kill(int process, int signal);
}
