// Arguments of the command, turned into options. One thread, at start.
using Garnet.Bench.Workloads;
using Garnet.Client;

namespace Garnet.Bench.Options;

/// <summary>
/// Reads <c>[options] [command [argument ...]]</c>: the first word that is no option begins a command to send, as in redis-benchmark.
/// </summary>
internal static class BenchArguments
{
    private const string Hint = "garnet bench --help lists all options";

    /// <summary>Reads and checks the arguments.</summary>
    /// <param name="arguments">The words after <c>garnet bench</c>.</param>
    /// <param name="environment">Returns the value of a variable of the environment, or null.</param>
    /// <exception cref="BenchException">One is wrong; the message says which and why.</exception>
    public static BenchOptions Parse(string[] arguments, Func<string, string?> environment)
    {
        var options = new BenchOptions();
        int at = 0;
        while (at < arguments.Length && IsOption(arguments[at]))
        {
            if (arguments[at] == "--")
            {
                at++;
                break;
            }

            Apply(arguments, ref at, options);
        }

        options.Commands.Words = arguments[at..];
        options.Target.Password ??= PasswordVariables.Find(environment);
        if (!options.WantsHelp)
            Check(options);
        return options;
    }

    private static bool IsOption(string word) => word.Length > 1 && word[0] == '-';

    private static void Apply(string[] arguments, ref int at, BenchOptions options)
    {
        string word = arguments[at++];
        int equals = word.StartsWith("--", StringComparison.Ordinal) ? word.IndexOf('=', StringComparison.Ordinal) : -1;
        string name = equals < 0 ? word : word[..equals];
        string? value = equals < 0 ? null : word[(equals + 1)..];
        if (BenchOptionTable.Refusal(name) is { } refusal)
            throw new BenchException($"{name} {refusal}");
        BenchOption option = BenchOptionTable.Find(name) ?? throw new BenchException($"unknown option '{name}'; {Hint}");
        if (option.Argument is null && value is not null)
            throw new BenchException($"{name} takes no value");
        if (option.Argument is not null && value is null)
            value = at < arguments.Length ? arguments[at++] : throw new BenchException($"{name} needs a value: {option.Help}");
        try
        {
            option.Set(options, value ?? "");
        }
        catch (BenchException e)
        {
            throw new BenchException($"{name}{Quoted(option, value)}{e.Message}", e);
        }
    }

    // Passwords may stand in a URI, and what is printed may be kept.
    private static string Quoted(BenchOption option, string? value) => option.Name is "--uri" ? ": " : $" '{value}': ";

    private static void Check(BenchOptions options)
    {
        KeyOptions keys = options.Keys;
        if (keys.Minimum > keys.Maximum)
            throw new BenchException($"--key-minimum is {keys.Minimum}, but --key-maximum is {keys.Maximum}; give it a larger one");
        if (keys.Median is { } median && (median < keys.Minimum || median > keys.Maximum))
            throw new BenchException($"--key-median must lie between --key-minimum and --key-maximum: {keys.Minimum} to {keys.Maximum}");
        if (options.Load.Threads > options.Load.Clients)
            throw new BenchException($"--threads is {options.Load.Threads}, more than the {options.Load.Clients} connections of --clients");
        if (options.Load.Arrivals is not null && options.Load.Rate is null)
            throw new BenchException("--arrivals spreads the requests of an open loop: it needs --rate");
        if (options.Load is { KeepsAlive: false, Rate: not null, Pipeline: > 1 })
            throw new BenchException("-k 0 with --rate opens a connection for each request: it excludes --pipeline");
        if (options.Target.User is not null && options.Target.Password is null)
            throw new BenchException("--user needs a password: -a, or the variable GARNET_AUTH");
        if (options.Values is { Range: not null, Weights: not null })
            throw new BenchException("--data-size-range and --data-size-list exclude each other");
        if (options.Values.IsSizedByKey && options.Values.Range is null)
            throw new BenchException("--data-size-pattern S needs --data-size-range");
        CheckTls(options.Target);
        CheckCommands(options);
    }

    private static void CheckTls(TargetOptions target)
    {
        if (!target.UsesTls && (target.Tls.HasAnySetting || target.SkipsVerification))
            throw new BenchException("options of certificates are given without --tls");
        foreach (BenchOption option in BenchOptionTable.All)
        {
            string? path = option.Name switch
            {
                "--cacert" => target.Tls.AuthorityFile,
                "--cert" => target.Tls.CertificateFile,
                "--key" => target.Tls.KeyFile,
                _ => null,
            };
            if (path is not null && !File.Exists(path))
                throw new BenchException($"{option.Name} '{path}': there is no such file");
        }

        if (target.Tls is { KeyFile: not null, CertificateFile: null })
            throw new BenchException("--key needs --cert, the certificate that it belongs to");
    }

    private static void CheckCommands(BenchOptions options)
    {
        CommandOptions commands = options.Commands;
        int kinds =
            (commands.Tests.Count > 0 ? 1 : 0)
            + (commands.Templates.Count > 0 ? 1 : 0)
            + (commands.Words.Count > 0 ? 1 : 0)
            + (commands.Ratio is not null ? 1 : 0);
        if (kinds > 1)
            throw new BenchException("--ratio, -t, --command and a command after the options exclude each other");
        foreach (string name in commands.Tests)
        {
            if (name != BuiltInTests.All && BuiltInTests.Find(name) is null)
            {
                string threads = int.TryParse(name, out _) ? "; the number of threads is --threads" : "";
                throw new BenchException($"-t: there is no test '{name}'{threads}; {Hint}");
            }
        }

        if (commands.PreparedKeys is not null && commands.Tests.Count == 0)
            throw new BenchException("--prepare is for tests of -t; --fill writes the keys of other commands");
        if (kinds == 0)
            commands.Ratio = (1, 10);
        if (commands.KeysPerGet is not null && commands.Ratio is null)
            throw new BenchException("--multi-key-get is for the reads of --ratio; other commands name their keys");
        if (options.Values.IsVerified && commands.KeysPerGet is not null)
            throw new BenchException("--verify compares one value a reply: it excludes --multi-key-get");
        if (options.Values.IsVerified && commands.Ratio is null)
            throw new BenchException("--verify compares what SET and GET of --ratio write and read; other commands cannot be verified");
        if (commands.Fills && commands.Ratio is null && commands.Templates.Count == 0 && commands.Words.Count == 0)
            throw new BenchException("--fill writes the keys of --ratio and --command; tests of -t prepare their own data");
    }
}
