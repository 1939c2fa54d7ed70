// ACL files with flipped bits, and names and rules with every byte: refused with the line and nothing changed, or taken and kept as they
// are. Each test has its own server and folder.
using System.Text;
using System.Text.RegularExpressions;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.Server.Tests.Acl;

public sealed partial class DamagedUsersTests(ITestOutputHelper output) : IDisposable
{
    private const string Own = "user default on nopass ~* &* +@all\n";

    private static readonly string Text = string.Concat(
        Own,
        "user app on #ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad ~app:* %R~shared:* resetchannels &news.* db=0,1 ",
        "-@all +@read -keys +config|get (+set %W~log:* &x)\nuser off off -@all\n"
    );

    private readonly string _folder = MemoryFolder.Create("garnet-acl-");

    private string AclFile => Path.Combine(_folder, "users.acl");

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public void A_file_with_a_flipped_bit_is_loaded_or_refused_with_its_line_and_nothing_changed()
    {
        byte[] whole = Encoding.ASCII.GetBytes(Text);
        File.WriteAllBytes(AclFile, whole);
        using InProcessServer server = new(options => options.AclFile = AclFile);
        string listed = server.Call("ACL", "LIST");
        int seed = TestSeed.ChooseAnew(output);
        int[] bits = [.. Enumerable.Range(Own.Length * 8, (whole.Length - Own.Length) * 8)];
        new Random(seed).Shuffle(bits);
        int refused = 0;
        foreach (int bit in bits.Take(FaultScale.Count(400, bits.Length)))
        {
            byte[] damaged = [.. whole];
            damaged[bit / 8] ^= (byte)(1 << (bit % 8));
            File.WriteAllBytes(AclFile, damaged);
            string reply = server.Call("ACL", "LOAD");
            if (reply == "+OK\r\n")
            {
                File.WriteAllBytes(AclFile, whole);
                Assert.Equal("+OK\r\n", server.Call("ACL", "LOAD"));
            }
            else
            {
                refused++;
                Assert.Matches(Refusal(), reply);
                int line = 1 + damaged.AsSpan(0, bit / 8).Count((byte)'\n');
                int named = int.Parse(LineNumber().Match(reply).Value.Trim(':', ' ').Split(' ')[^1]);
                // A line end that is gone makes one line of two; one that is new makes two of one.
                Assert.InRange(named, line - 1, line + 1);
            }

            Assert.Equal(listed, server.Call("ACL", "LIST"));
        }

        output.WriteLine($"{refused} refused");
        Assert.True(refused > 0);
    }

    [Fact]
    public void A_file_cut_at_any_byte_is_loaded_or_refused_with_its_line_and_nothing_changed()
    {
        byte[] whole = Encoding.ASCII.GetBytes(Text);
        File.WriteAllText(AclFile, Own);
        using InProcessServer server = new(options => options.AclFile = AclFile);
        string listed = server.Call("ACL", "LIST");
        for (int length = Own.Length; length <= whole.Length; length++)
        {
            File.WriteAllBytes(AclFile, whole[..length]);
            string reply = server.Call("ACL", "LOAD");
            if (reply != "+OK\r\n")
            {
                Assert.Matches(Refusal(), reply);
                Assert.Equal(listed, server.Call("ACL", "LIST"));
                continue;
            }

            File.WriteAllText(AclFile, Own);
            Assert.Equal("+OK\r\n", server.Call("ACL", "LOAD"));
        }
    }

    // What SETUSER takes, SAVE writes and LOAD reads again; a name or a rule that a file could not hold is refused.
    [Theory]
    [InlineData("name")]
    [InlineData("~")]
    [InlineData("%R~")]
    [InlineData("&")]
    [InlineData(">")]
    [InlineData("+")]
    [InlineData("-@")]
    [InlineData("(~")]
    [InlineData("")]
    public void Every_byte_in_a_name_or_a_rule_survives_a_file_or_is_refused(string kind)
    {
        File.WriteAllText(AclFile, Own);
        using InProcessServer server = new(options => options.AclFile = AclFile);
        int taken = 0;
        for (int value = 0; value < 256; value++)
        {
            string text = $"x{(char)value}y";
            string end = kind == "(~" ? ")" : "";
            string[] call = kind == "name" ? ["ACL", "SETUSER", text, "on"] : ["ACL", "SETUSER", "app", "on", kind + text + end];
            string reply = CallBytes(server, call);
            string listed = server.Call("ACL", "LIST");
            if (reply == "+OK\r\n")
            {
                taken++;
                Assert.Equal("+OK\r\n", server.Call("ACL", "SAVE"));
                Assert.Equal("+OK\r\n", server.Call("ACL", "LOAD"));
                Assert.True(listed == server.Call("ACL", "LIST"), $"{kind} with byte {value}: {listed}");
            }
            else
            {
                Assert.StartsWith("-ERR ", reply, StringComparison.Ordinal);
                Assert.DoesNotContain("\r\n", reply[..^2], StringComparison.Ordinal);
            }

            server.Call("ACL", "DELUSER", "app");
            if (kind == "name")
                CallBytes(server, ["ACL", "DELUSER", text]);
        }

        output.WriteLine($"{taken} of 256 taken");
        Assert.Equal(kind is "+" or "-@" or "" ? 0 : 256, taken > 200 ? 256 : taken);
    }

    // One byte a character.
    private static string CallBytes(InProcessServer server, string[] call)
    {
        var request = new List<byte>();
        request.AddRange(Encoding.ASCII.GetBytes($"*{call.Length}\r\n"));
        foreach (string word in call)
        {
            request.AddRange(Encoding.ASCII.GetBytes($"${word.Length}\r\n"));
            request.AddRange(Encoding.Latin1.GetBytes(word));
            request.AddRange("\r\n"u8);
        }

        server.Client.Send([.. request]);
        return server.Client.Receive();
    }

    [GeneratedRegex(@"(:\d+[: ]|line \d+)")]
    private static partial Regex LineNumber();

    [GeneratedRegex(
        @"^-ERR .*(:\d+[: ]|line \d+).*no change to the previously active ACL rules was performed\r\n$",
        RegexOptions.Singleline
    )]
    private static partial Regex Refusal();
}
