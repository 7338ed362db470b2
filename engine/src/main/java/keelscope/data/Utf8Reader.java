package keelscope.data;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/**
 * Reads UTF-8, from behind its byte-order mark where it has one, and counts what is not. Where that is to be replaced, each longest invalid stretch that could begin a
 * character becomes one U+FFFD, as the Unicode Standard (chapter 3, "U+FFFD Substitution of Maximal Subparts") has it.
 */
final class Utf8Reader implements AutoCloseable {
    private final String name;
    private final InputStream in;
    private final boolean replace;
    private final CharsetDecoder decoder = StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT);
    private final ByteBuffer bytes = ByteBuffer.allocate(1 << 16).limit(0);

    private boolean begun;
    private boolean ended;
    /** Offset in the stream of the first byte in the buffer. */
    private long base;
    private long replaced;
    private long firstReplaced = -1;

    /**
     * @param name begins a message
     * @param replace whether what is not UTF-8 is replaced; else it is refused
     */
    Utf8Reader(String name, InputStream in, boolean replace) {
        this.name = name;
        this.in = in;
        this.replace = replace;
    }

    /** How many stretches were replaced. */
    long replaced() {
        return replaced;
    }

    /** Offset in bytes of the first that was replaced; −1 where none was. */
    long firstReplaced() {
        return firstReplaced;
    }

    /**
     * Fills {@code into}, of at least 2 characters, as far as is at hand; gives their number, −1 at the end.
     *
     * @throws DataException at a zero byte, at the mark of another encoding, and at what is not UTF-8 where that is refused
     */
    int read(char[] into) throws IOException {
        if (!begun) {
            begin();
        }
        CharBuffer out = CharBuffer.wrap(into);
        while (true) {
            CoderResult result = decoder.decode(bytes, out, ended);
            if (result.isMalformed() && out.hasRemaining()) {
                malformed(result.length());
                out.put('\uFFFD');
                bytes.position(bytes.position() + result.length());
            } else if (out.position() > 0) {
                return out.position();
            } else if (ended) {
                return -1;
            } else {
                fill();
            }
        }
    }

    private void malformed(int length) {
        long at = base + bytes.position();
        if (!replace) {
            throw DataException.notUtf8(name, at);
        }
        replaced++;
        if (firstReplaced < 0) {
            firstReplaced = at;
        }
    }

    private void begin() throws IOException {
        begun = true;
        int length = in.readNBytes(bytes.array(), 0, ByteOrderMark.LONGEST);
        ByteOrderMark.otherEncoding(bytes.array(), length).ifPresent(encoding -> {
            throw DataException.encoded(name, encoding);
        });
        refuseZero(0, length);
        bytes.limit(length).position(ByteOrderMark.utf8(bytes.array(), length));
    }

    private void fill() throws IOException {
        base += bytes.position();
        bytes.compact();
        int from = bytes.position();
        int length = in.read(bytes.array(), from, bytes.remaining());
        if (length < 0) {
            ended = true;
        } else {
            refuseZero(from, from + length);
            bytes.position(from + length);
        }
        bytes.flip();
    }

    private void refuseZero(int from, int to) {
        for (int i = from; i < to; i++) {
            if (bytes.array()[i] == 0) {
                throw DataException.binary(name, base + i);
            }
        }
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
