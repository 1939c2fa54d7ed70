// Reads the command line of `garnet cli`. One thread, at start.
using System.Globalization;
using System.Net.Sockets;
using System.Text;
using Garnet.Client;

namespace Garnet.Cli.Options;

/// <summary>
/// Options come first and have redis-cli's names; the first word that is none is the command, and all that follows is its arguments,
/// whatever it looks like. CommandLineParser knows no such end, and no options such as -2.
/// </summary>
/// <param name="words">What follows <c>garnet cli</c>.</param>
internal sealed class CliOptionReader(string[] words)
{
    // 24 days: what the runtime's waits can take.
    private const int MaxSeconds = int.MaxValue / 1000;

    private readonly CliOptions _options = new();
    private readonly TlsOptionReader _tls = new();
    private int _at;
    private bool _hasProtocol2;
    private bool _hidesWarning;
    private AddressFamily _otherFamily = AddressFamily.Unspecified;

    /// <summary>Reads all.</summary>
    /// <param name="outputIsTerminal">Whether standard output is a terminal, which decides about the format.</param>
    /// <param name="variables">Gives an environment variable, or null.</param>
    /// <exception cref="CliException">An option is unknown or wrong; the message says which.</exception>
    public CliOptions Read(bool outputIsTerminal, Func<string, string?> variables)
    {
        _options.Output.IsTerminal = outputIsTerminal;
        bool isForPeople = outputIsTerminal || variables("FAKETTY") is not null;
        _options.Output.Format = isForPeople ? OutputFormat.Standard : OutputFormat.Raw;
        _options.Output.ShowsPushes = isForPeople;
        while (_at < words.Length && words[_at].StartsWith('-'))
            ReadOption(words[_at++]);
        _tls.Apply(_options.Connection);
        Check();
        if (!_options.AsksPassword)
            _options.Connection.Password ??= PasswordVariables.Find(variables);
        _options.Command = ReadCommand();
        return _options;
    }

    /// <summary>Whether a password stood on the command line, where other users of the machine can see it.</summary>
    public bool ShowsPassword { get; private set; }

    private void ReadOption(string option)
    {
        bool isKnown =
            TryReadConnection(option)
            || TryReadCommandOption(option)
            || TryReadFormat(option)
            || TryReadMode(option)
            || _tls.TryRead(option, Value);
        if (!isKnown)
            throw Unknown(option);
    }

    private bool TryReadConnection(string option)
    {
        ConnectionOptions connection = _options.Connection;
        switch (option)
        {
            case "-h" when _at < words.Length:
                connection.Host = Value(option);
                return true;
            case "-p":
                connection.Port = Port(Value(option));
                return true;
            case "-s":
                connection.SocketPath = Value(option);
                return true;
            case "-t":
                connection.Timeout = Seconds(Value(option), "Invalid connection timeout for -t.");
                return true;
            case "-n":
                connection.Database = (int)Number(option, 0, int.MaxValue);
                return true;
            case "-a" or "--pass":
                connection.Password = Value(option);
                ShowsPassword = true;
                return true;
            case "--user":
                connection.User = Value(option);
                return true;
            case "-u":
                connection.Apply(Value(option));
                ShowsPassword |= connection.Password is not null;
                return true;
            case "--askpass":
                return _options.AsksPassword = true;
            case "--no-auth-warning":
                return _hidesWarning = true;
            case "-2":
                return _hasProtocol2 = true;
            case "-3":
                (connection.Protocol, connection.RequiresProtocol) = (3, true);
                return true;
            case "-4" or "-6":
                SetFamily(option == "-4" ? AddressFamily.InterNetwork : AddressFamily.InterNetworkV6);
                return true;
            case "--mptcp":
                throw new CliException("--mptcp is not supported; leave it out to connect with TCP");
            default:
                return false;
        }
    }

    private bool TryReadCommandOption(string option)
    {
        switch (option)
        {
            case "-r":
                _options.Repeat = Number(option, long.MinValue, long.MaxValue);
                return true;
            case "-i":
                _options.Interval = Seconds(Value(option), "Invalid interval for -i: it is a number of seconds, such as 0.1.");
                return true;
            case "-x":
                return _options.ReadsLastArgument = true;
            case "-X":
                _options.InputTag = Value(option);
                return true;
            case "-c":
                return _options.IsCluster = true;
            case "-e":
                return _options.Output.FailsOnError = true;
            case "--quoted-input":
                return _options.HasQuotedInput = true;
            case "--verbose":
                return true;
            default:
                return false;
        }
    }

    private bool TryReadFormat(string option)
    {
        OutputOptions output = _options.Output;
        switch (option)
        {
            case "--raw":
                output.Format = OutputFormat.Raw;
                return true;
            case "--no-raw":
                output.Format = OutputFormat.Standard;
                return true;
            case "--csv":
                output.Format = OutputFormat.Csv;
                return true;
            case "--json" or "--quoted-json":
                output.Format = option == "--json" ? OutputFormat.Json : OutputFormat.QuotedJson;
                _options.Connection.Protocol = 3;
                return true;
            case "-d":
                output.ElementDelimiter = Encoding.UTF8.GetBytes(Value(option));
                return true;
            case "-D":
                output.ReplyDelimiter = Encoding.UTF8.GetBytes(Value(option));
                return true;
            case "--show-pushes":
                output.ShowsPushes = YesOrNo(option);
                return true;
            default:
                return false;
        }
    }

    private bool TryReadMode(string option)
    {
        switch (option)
        {
            case "-h" or "--help":
                return Enter(CliMode.Help);
            case "-v" or "--version":
                return Enter(CliMode.Version);
            case "--eval":
                _options.File = FileName(option);
                return Enter(CliMode.Eval);
            case "--pipe":
                return Enter(CliMode.Pipe);
            case "--pipe-timeout":
                _options.PipeTimeout = TimeSpan.FromSeconds(Number(option, 0, int.MaxValue));
                return true;
            case "--latency":
                return Enter(CliMode.Latency);
            case "--latency-history":
                return (_options.ShowsHistory = true) && Enter(CliMode.Latency);
            case "--latency-dist":
                return Enter(CliMode.LatencySpectrum);
            case "--mono":
                return _options.IsMonochrome = true;
            case "--stat":
                return Enter(CliMode.Statistics);
            case "--slave" or "--replica":
                return Enter(CliMode.Replica);
            case "--rdb" or "--functions-rdb":
                return ReadSnapshot(option);
            case "--intrinsic-latency":
                throw new CliException(
                    "--intrinsic-latency measures this machine, not a server, and is not supported; --latency measures round trips"
                );
            case "--lru-test":
                throw new CliException("--lru-test is not supported; garnet bench writes keys with a distribution of your choice");
            case "--ldb" or "--ldb-sync-mode":
                throw new CliException($"{option} is not supported: there is no debugger of scripts; garnet --lua checks a script");
            default:
                if (option.StartsWith("--cluster", StringComparison.Ordinal))
                    throw new CliException($"{option} is not supported: this client follows redirections (-c) and manages no cluster");
                return TryReadScan(option);
        }
    }

    private bool TryReadScan(string option)
    {
        ScanOptions scan = _options.Scan;
        switch (option)
        {
            case "--scan":
                return Enter(CliMode.Scan);
            case "--bigkeys":
                return Enter(CliMode.BigKeys);
            case "--memkeys":
                return Enter(CliMode.MemoryKeys);
            case "--memkeys-samples":
                scan.Samples = Number(option, 0, int.MaxValue);
                return Enter(CliMode.MemoryKeys);
            case "--hotkeys":
                return Enter(CliMode.HotKeys);
            case "--hotkeys-count":
                scan.HotKeys = (int)Number(option, 1, 1_000_000);
                return Enter(CliMode.HotKeys);
            case "--pattern":
                scan.Pattern = Encoding.UTF8.GetBytes(Value(option));
                return true;
            case "--quoted-pattern":
                scan.Pattern =
                    ArgumentSplitter.TryUnquote(Encoding.UTF8.GetBytes(Value(option)))
                    ?? throw new CliException("Invalid quoted string specified for --quoted-pattern.");
                return true;
            case "--count":
                scan.Count = (int)Number(option, 1, int.MaxValue);
                return true;
            default:
                return false;
        }
    }

    private bool ReadSnapshot(string option)
    {
        bool takesFunctions = option == "--functions-rdb";
        if (_options.Mode == CliMode.Snapshot && takesFunctions != _options.TakesFunctionsOnly)
            throw new CliException("Option --functions-rdb and --rdb are mutually exclusive.");
        _options.File = FileName(option);
        _options.TakesFunctionsOnly = takesFunctions;
        return Enter(CliMode.Snapshot);
    }

    private bool Enter(CliMode mode)
    {
        // --help after another mode still explains.
        if (_options.Mode is not (CliMode.Help or CliMode.Version))
            _options.Mode = mode;
        return true;
    }

    private void SetFamily(AddressFamily family)
    {
        _otherFamily = _options.Connection.Family;
        _options.Connection.Family = family;
    }

    private void Check()
    {
        ConnectionOptions connection = _options.Connection;
        ShowsPassword &= !_hidesWarning;
        if (connection.SocketPath is not null && _options.IsCluster)
            throw new CliException("Options -c and -s are mutually exclusive.");
        if (_hasProtocol2 && connection.RequiresProtocol)
            throw new CliException("Options -2 and -3 are mutually exclusive.");
        if (_hasProtocol2)
            connection.Protocol = 0;
        if (_options.ReadsLastArgument && _options.InputTag is not null)
            throw new CliException("Options -x and -X are mutually exclusive.");
        if (_otherFamily != AddressFamily.Unspecified && _otherFamily != connection.Family)
            throw new CliException("Options -4 and -6 are mutually exclusive.");
    }

    private byte[][] ReadCommand()
    {
        string[] command = words[_at..];
        byte[][] raw = RawArguments.Of(command);
        if (!_options.HasQuotedInput)
            return raw;
        for (int i = 0; i < raw.Length; i++)
            raw[i] = ArgumentSplitter.TryUnquote(raw[i]) ?? throw new CliException("Invalid quoted string");
        return raw;
    }

    private string Value(string option) => _at < words.Length ? words[_at++] : throw Unknown(option);

    private string FileName(string option) =>
        Value(option) is { Length: > 0 } name ? name : throw new CliException($"{option} takes the name of a file");

    private bool YesOrNo(string option)
    {
        string value = Value(option);
        return value switch
        {
            ['y' or 'Y', ..] => true,
            ['n' or 'N', ..] => false,
            _ => throw new CliException($"Unknown {option} value '{value}' (valid: '[y]es', '[n]o')"),
        };
    }

    private long Number(string option, long least, long most)
    {
        string value = Value(option);
        return
            long.TryParse(value, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out long number)
            && number >= least
            && number <= most
            ? number
            : throw new CliException($"Invalid value '{value}' for {option}: it is a number{Range(least, most)}");
    }

    private static string Range(long least, long most) => least == long.MinValue ? "" : $" from {least} to {most}";

    private static int Port(string value) =>
        int.TryParse(value, NumberStyles.None, CultureInfo.InvariantCulture, out int port) && port <= ushort.MaxValue
            ? port
            : throw new CliException("Invalid server port.");

    private static TimeSpan Seconds(string value, string problem) =>
        double.TryParse(value, NumberStyles.Float, CultureInfo.InvariantCulture, out double seconds) && seconds is >= 0 and <= MaxSeconds
            ? TimeSpan.FromSeconds(seconds)
            : throw new CliException(problem);

    private static CliException Unknown(string option) =>
        new($"Unrecognized option or bad number of args for: '{option}' (garnet cli --help lists all options)");
}
