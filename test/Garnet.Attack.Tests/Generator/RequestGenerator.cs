// Makes requests from the commands' grammar, with arguments that are large, many or at an edge. One thread; the seed decides everything.
using System.Globalization;

namespace Garnet.Attack.Tests.Generator;

/// <summary>Random requests that follow the grammar closely enough to be executed as a rule.</summary>
internal sealed class RequestGenerator(int seed)
{
    private const string Copies = "copy:";

    private static readonly string[] Integers =
    [
        "0",
        "1",
        "-1",
        "2",
        "10",
        "100",
        "1000",
        "100000",
        "-100",
        "-1000",
        "65536",
        "1000000",
        "2147483647",
        "9223372036854775807",
        "-9223372036854775808",
    ];

    private static readonly string[] Patterns =
    [
        "*",
        "element:*9",
        "*a*b*c*d*e*f*g*h",
        "[a-z]*[0-9]",
        "*:*:*",
        "?lement:1*",
        "e" + new string('*', 200) + "z",
    ];

    private readonly Random _random = new(seed);
    private readonly List<string> _words = [];
    private readonly HashSet<string> _copied = [];
    private CommandGrammar _command = null!;
    private int _countAt;

    /// <summary>A request of a command, and the prepared keys of which it needs a copy of its own, as it may change them.</summary>
    public (string[] Request, string[] CopiedKeys) Next(CommandGrammar command)
    {
        _command = command;
        _words.Clear();
        _copied.Clear();
        _words.AddRange(command.Words);
        _countAt = -1;
        Add(command.Arguments);
        return ([.. _words], [.. _copied]);
    }

    /// <summary>The key that holds the copy of a prepared one.</summary>
    public static string CopyOf(string key) => Copies + key;

    private void Add(IReadOnlyList<ArgumentGrammar> arguments)
    {
        foreach (ArgumentGrammar argument in arguments)
        {
            if (argument.IsOptional && _random.Next(2) == 0)
                continue;
            Add(argument);
        }
    }

    private void Add(ArgumentGrammar argument)
    {
        int times = argument.IsMultiple ? Times(argument) : 1;
        for (int i = 0; i < times; i++)
        {
            if (argument.Token is not null && (i == 0 || argument.RepeatsToken))
                _words.Add(argument.Token);
            AddOne(argument, times);
        }

        // A count of what follows was put down as a placeholder.
        if (_countAt >= 0 && argument.IsMultiple)
        {
            _words[_countAt] = times.ToString(CultureInfo.InvariantCulture);
            _countAt = -1;
        }
    }

    // Keys of a hundred thousand elements are not named a thousand times, and what SORT gets for each element is not asked for as often: no
    // server does that quickly.
    private int Times(ArgumentGrammar argument)
    {
        int choice = _random.Next(10);
        bool isPerElement = argument.Token == "GET" || argument.Type == "key" || argument.Parts.Any(static part => part.Type == "key");
        return choice < 5 ? 1 + _random.Next(3)
            : choice < 8 || isPerElement ? 5
            : 5000;
    }

    private void AddOne(ArgumentGrammar argument, int times)
    {
        switch (argument.Type)
        {
            case "oneof":
                Add(argument.Parts[_random.Next(argument.Parts.Count)]);
                break;
            case "block":
                Add(argument.Parts);
                break;
            case "pure-token":
                break;
            case "key":
                _words.Add(Key());
                break;
            case "integer":
                AddInteger(argument);
                break;
            case "double":
                _words.Add(
                    argument.Name == "timeout"
                        ? "0.01"
                        : _random.Next(3) switch
                        {
                            0 => "1.5",
                            1 => "-17",
                            _ => Choose(Integers),
                        }
                );
                break;
            case "pattern":
                _words.Add(_random.Next(4) == 0 ? Choose(Patterns) + "*" : Choose(Patterns));
                break;
            case "unix-time":
                _words.Add("99999999999");
                break;
            default:
                _words.Add(Text(argument.Name, times));
                break;
        }
    }

    private void AddInteger(ArgumentGrammar argument)
    {
        if (argument.Name is "numkeys" or "numfields" or "numids")
        {
            _countAt = _words.Count;
            _words.Add("1");
            return;
        }

        if (argument.Name is "milliseconds" or "timeout")
        {
            _words.Add("1");
            return;
        }

        // Minus a count asks for as many elements with repetition, in any number.
        bool repeats = _command.Words[0].Contains("rand", StringComparison.Ordinal);
        string value = Choose(Integers);
        _words.Add(repeats && value.StartsWith('-') ? "-1000" : value);
    }

    private string Key()
    {
        string[] keys = PreparedData.Keys.GetValueOrDefault(_command.Group, PreparedData.Keys["generic"]);
        string key = keys[_random.Next(keys.Length)];
        if (_random.Next(10) == 0)
            key = Choose(PreparedData.Keys["generic"]);
        if (_random.Next(20) == 0)
            return "absent:" + _random.Next(10);
        if (!_command.IsWrite)
            return key;
        _copied.Add(key);
        return CopyOf(key);
    }

    private string Text(string name, int times)
    {
        if (name is "group")
            return "group";
        if (name is "consumer")
            return "consumer";
        if (name is "id" or "start" or "end" or "lastid")
        {
            return _random.Next(4) switch
            {
                0 => "-",
                1 => "+",
                2 => "0",
                _ => "5000-1",
            };
        }

        return (times > 5 ? 0 : _random.Next(8)) switch
        {
            < 4 => PreparedData.Element(_random.Next(100_000)),
            4 => Choose(Integers),
            5 => new string('x', 100_000),
            6 => "*",
            _ => "",
        };
    }

    private string Choose(string[] from) => from[_random.Next(from.Length)];
}
