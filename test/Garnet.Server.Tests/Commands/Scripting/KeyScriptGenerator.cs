// Random scripts that pass keys around. One test each.
using System.Text;

namespace Garnet.Server.Tests.Commands.Scripting;

/// <summary>Statements with few variables and commands, so that keys, arguments and the table of keys meet often.</summary>
internal sealed class KeyScriptGenerator(Random random)
{
    private static readonly string[] Commands =
    [
        "'get', {0}",
        "'set', {0}, {1}",
        "'incr', {0}",
        "'mget', {0}, {0}",
        "'mset', {0}, {1}, {0}, {1}",
        "'del', {0}, {0}",
        "'rename', {0}, {0}",
        "'sadd', {0}, {1}",
        "'sinterstore', {0}, {0}",
        "'lpush', {0}, {1}",
        "'lmove', {0}, {0}, 'left', 'right'",
        "'mget', unpack({2})",
        "'sadd', {0}, unpack({2})",
        "'touch', {0}, unpack({2})",
        "'type', {1}",
        "'echo', {1}",
        "{1}, {0}",
    ];

    private static readonly string[] Tables = ["KEYS", "KEYS", "KEYS", "ARGV", "{KEYS[1]}", "t"];

    public string Generate()
    {
        var script = new StringBuilder("local a, b, t = KEYS[1], ARGV[1], {} ");
        Block(script, depth: 0);
        return script.ToString();
    }

    private void Block(StringBuilder script, int depth)
    {
        for (int count = 1 + random.Next(4); count > 0; count--)
            Statement(script, depth);
    }

    private void Statement(StringBuilder script, int depth)
    {
        switch (random.Next(depth < 3 ? 12 : 9))
        {
            case 0:
                script.Append($"{Variable()} = {Key()} ");
                break;
            case 1:
                script.Append($"{Variable()} = {Value()} ");
                break;
            case 2:
                script.Append($"t = {Table()} ");
                break;
            case 3 when random.Next(4) == 0:
                script.Append($"{Table()}[{1 + random.Next(2)}] = {Value()} ".Replace("{KEYS[1]}", "t", StringComparison.Ordinal));
                break;
            case 9:
                script.Append($"if {Value()} == {Value()} then ");
                Block(script, depth + 1);
                script.Append(random.Next(2) == 0 ? "else " : $"elseif {Variable()} then ");
                Block(script, depth + 1);
                script.Append("end ");
                break;
            case 10 when random.Next(8) == 0:
                script.Append("for i = 1, #KEYS do ");
                Block(script, depth + 1);
                script.Append("end ");
                break;
            default:
                script.Append($"{(random.Next(3) == 0 ? Variable() + " =" : "local _ =")} redis.pcall({Command()}) ");
                break;
        }
    }

    private string Command()
    {
        string form = Commands[random.Next(Commands.Length)];
        var command = new StringBuilder();
        for (int i = 0; i < form.Length; i++)
        {
            if (form[i] != '{')
            {
                command.Append(form[i]);
                continue;
            }

            command.Append(
                form[i + 1] switch
                {
                    '0' => Key(),
                    '1' => Value(),
                    _ => Table(),
                }
            );
            i += 2;
        }

        return command.ToString();
    }

    private string Key() =>
        random.Next(16) switch
        {
            < 6 => "KEYS[1]",
            < 11 => "KEYS[2]",
            < 13 => "a",
            13 => "(b and a)",
            14 => "t[1]",
            _ => Value(),
        };

    private string Value() =>
        random.Next(8) switch
        {
            0 => "ARGV[1]",
            1 => "ARGV[2]",
            2 => "a",
            3 => "b",
            4 => "'x'",
            5 => "(a or b)",
            6 => "t[1]",
            _ => "KEYS[1]",
        };

    private string Variable() => random.Next(2) == 0 ? "a" : "b";

    private string Table() => Tables[random.Next(Tables.Length)];
}
