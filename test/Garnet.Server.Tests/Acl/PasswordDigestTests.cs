// Passwords are compared in constant time: what is compared, by which method, and that no other code compares them. Inspects the compiled
// code, because timings are meaningless on a busy machine.
using System.Reflection;
using System.Reflection.Emit;
using System.Security.Cryptography;
using System.Text;
using Garnet.Server.Acl;
using Garnet.Server.Composition;
using Garnet.Server.Configuration;
using Xunit;

namespace Garnet.Server.Tests.Acl;

public sealed class PasswordDigestTests
{
    private const BindingFlags All =
        BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.Static | BindingFlags.DeclaredOnly;

    private static readonly Dictionary<short, OpCode> OpCodesByValue = typeof(OpCodes)
        .GetFields(BindingFlags.Public | BindingFlags.Static)
        .Select(static field => (OpCode)field.GetValue(null)!)
        .ToDictionary(static code => code.Value);

    [Fact]
    public void Only_the_password_itself_matches()
    {
        const string Password = "pass word\u00e9";
        PasswordDigest digest = new(Password);
        byte[] right = Encoding.UTF8.GetBytes(Password);
        Assert.True(digest.Matches(PasswordDigest.Of(right)));
        Assert.True(digest.Matches(PasswordDigest.Parse(digest.ToString())!));
        byte[][] wrong =
        [
            [],
            [.. right, 0],
            Encoding.Latin1.GetBytes(Password),
            SHA256.HashData(right),
            Encoding.ASCII.GetBytes(digest.ToString()),
            new byte[100_000],
        ];
        Assert.All(wrong, each => Assert.False(digest.Matches(PasswordDigest.Of(each))));
        for (int i = 0; i < right.Length; i++)
        {
            Assert.False(digest.Matches(PasswordDigest.Of(right.AsSpan(0, i))));
            right[i] ^= 1;
            Assert.False(digest.Matches(PasswordDigest.Of(right)));
            right[i] ^= 1;
        }
    }

    [Fact]
    public void Digests_of_one_length_are_compared_in_constant_time()
    {
        MethodBase[] called = [.. CalledBy(typeof(PasswordDigest).GetMethod(nameof(PasswordDigest.Matches))!)];
        Assert.Contains(
            called,
            static each => IsOf(each, typeof(CryptographicOperations), nameof(CryptographicOperations.FixedTimeEquals))
        );
        // The other calls only get the digests, and spans of them.
        Assert.All(
            called.Where(static each => each.DeclaringType != typeof(CryptographicOperations)),
            static each => Assert.True(each.IsConstructor || each.IsSpecialName, $"{each.DeclaringType}.{each}")
        );
    }

    [Fact]
    public void Nothing_else_compares_passwords()
    {
        MethodInfo getter = typeof(GarnetOptions).GetProperty(nameof(GarnetOptions.Password))!.GetMethod!;
        string[] readers =
        [
            .. typeof(RespServer)
                .Assembly.GetTypes()
                .SelectMany(static type => type.GetMethods(All).Cast<MethodBase>().Concat(type.GetConstructors(All)))
                .Where(method => CalledBy(method).Contains(getter))
                .Select(static method => $"{Outermost(method.DeclaringType!).Name}.{method.Name}")
                .Where(static name => !name.StartsWith(nameof(ClientOptions), StringComparison.Ordinal))
                .Distinct()
                .Order(StringComparer.Ordinal),
        ];
        // These only hand it on to be digested.
        Assert.Equal(["Users..ctor", "Users.OnPassword", "Users.get_AreOnlyOptions"], readers);
    }

    [Fact]
    public void A_changed_password_applies_at_once()
    {
        using InProcessServer server = new(static options => options.Password = "first");
        Assert.Equal("+OK\r\n", server.Call("AUTH", "first"));
        Assert.Equal("+OK\r\n", server.Call("CONFIG", "SET", "requirepass", "second"));
        Assert.StartsWith("-WRONGPASS", server.Connect().Call("AUTH", "first"), StringComparison.Ordinal);
        Assert.Equal("+OK\r\n", server.Connect().Call("AUTH", "second"));
        Assert.StartsWith("%", server.Connect().Call("HELLO", "3", "AUTH", "default", "second"), StringComparison.Ordinal);
    }

    private static bool IsOf(MethodBase method, Type type, string name) => method.DeclaringType == type && method.Name == name;

    private static Type Outermost(Type type) => type.DeclaringType is { } outer ? Outermost(outer) : type;

    // The methods called by a method's code.
    private static IEnumerable<MethodBase> CalledBy(MethodBase method)
    {
        if (method.GetMethodBody()?.GetILAsByteArray() is not { } code)
            yield break;
        Type[] typeArguments = method.DeclaringType is { IsGenericType: true } type ? type.GetGenericArguments() : [];
        Type[] methodArguments = method.IsGenericMethod ? method.GetGenericArguments() : [];
        for (int position = 0; position < code.Length; )
        {
            short value = code[position++];
            if (value == 0xFE)
                value = (short)((value << 8) | code[position++]);
            OpCode operation = OpCodesByValue[value];
            if (operation.OperandType == OperandType.InlineMethod)
                yield return method.Module.ResolveMethod(BitConverter.ToInt32(code, position), typeArguments, methodArguments)!;
            position += OperandBytes(operation.OperandType, code, position);
        }
    }

    private static int OperandBytes(OperandType type, byte[] code, int position) =>
        type switch
        {
            OperandType.InlineNone => 0,
            OperandType.ShortInlineBrTarget or OperandType.ShortInlineI or OperandType.ShortInlineVar => 1,
            OperandType.InlineVar => 2,
            OperandType.InlineI8 or OperandType.InlineR => 8,
            OperandType.InlineSwitch => 4 + (4 * BitConverter.ToInt32(code, position)),
            _ => 4,
        };
}
